import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockAccount, closeAccount, showAccount } from '../../../src/contexts/accounts/index.ts';
import { endCallsOfAccount } from '../../../src/contexts/calls/index.ts';
import { type Database, openDatabase } from '../../../src/platform/db/database.ts';
import { createAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let db: Database;

beforeAll(async () => {
  platform = await sharedPlatform();
  const { operatorUrl: url } = platform.database;
  db = openDatabase(
    { url, poolSize: 8, applicationName: 'operator-test', statementTimeoutMs: 5_000 },
    () => undefined,
  );
});
afterAll(async () => {
  await db.close();
});

test('operators who close and block concurrently do not overwrite each other', async () => {
  const deps = { db, clock: platform.clock, endCalls: endCallsOfAccount };
  for (let round = 0; round < 5; round += 1) {
    const { domain, id } = await createAccount(platform);
    const results = await Promise.allSettled([
      blockAccount(deps, domain),
      closeAccount(deps, domain),
      blockAccount(deps, domain),
    ]);
    const { status } = await showAccount(deps, domain);
    const entries = await platform.database.query<{ before: object; after: object }>(
      `select before, after from audit_entries
        where account_id = $1 and action in ('account.block', 'account.close') order by at, after->>'status'`,
      [id],
    );
    expect(entries).toHaveLength(results.filter((each) => each.status === 'fulfilled').length);
    expect(results[1]?.status === 'fulfilled').toBe(status === 'closed');
    for (const each of results.filter((result) => result.status === 'rejected'))
      expect(String(each.reason)).toMatch(/was changed at the same time|cannot become/);
  }
});
