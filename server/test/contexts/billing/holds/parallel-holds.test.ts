import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger, holdForCall } from '../../../../src/contexts/billing/index.ts';
import { createAccountShares } from '../../../../src/platform/db/account-shares.ts';
import { type Database, inAccount, openDatabase } from '../../../../src/platform/db/database.ts';
import { Refusal } from '../../../../src/platform/errors.ts';
import { addDeck, destination, giveCredit } from '../../../harness/fixtures/billing.ts';
import { insertPlainAccounts } from '../../../harness/fixtures/billing-rows.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

const rounds = 50;
const holdsPerRound = 500;
const affordable = 7;
const minuteMicros = 300_000;

let platform: Platform;
let db: Database;
let accounts: number[];
beforeAll(async () => {
  platform = await startPlatform();
  await addDeck(platform, [{ prefix: '55', price: 0.3 }]);
  accounts = await insertPlainAccounts(platform.database.query, rounds);
  // Enough for seven first minutes, and not quite for an eighth.
  for (const id of accounts) await giveCredit(platform, id, 0.3 * affordable + 0.2999);
  const options = { url: platform.database.serviceUrl, poolSize: 16, applicationName: 'parallel-holds' };
  db = openDatabase({ ...options, statementTimeoutMs: 20_000 }, () => undefined);
  // All 500 wait for a connection without a timeout, however slow the machine is.
  db.pool.options.connectionTimeoutMillis = 0;
  db.shares = createAccountShares(8, 600_000);
});
afterAll(async () => {
  await db.close();
  await platform.close();
});

async function isHeld(accountId: number): Promise<boolean> {
  try {
    await inAccount(db, accountId, (tx) =>
      holdForCall(tx, platform.api.app, {
        accountId,
        callId: randomUUID(),
        destination,
        at: platform.clock.now(),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'INSUFFICIENT_CREDIT') return false;
    throw error;
  }
}

test(`LEDGER-07 exactly ${affordable} of ${holdsPerRound} parallel holds succeed with credit for ${affordable}, ${rounds} times`, async () => {
  for (const accountId of accounts) {
    const attempts = await Promise.all(Array.from({ length: holdsPerRound }, () => isHeld(accountId)));
    expect(attempts.filter(Boolean)).toHaveLength(affordable);
  }
  const balances = await platform.database.query(
    'select distinct available_micros::int as available, held_micros::int as held from ledger_balances',
  );
  expect(balances).toEqual([{ available: minuteMicros - 100, held: affordable * minuteMicros }]);
  expect(await auditLedger({ db })).toEqual([]);
}, 600_000);
