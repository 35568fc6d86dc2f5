import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

/** Time per row of the audit log, to simulate a table too large for this machine. */
const rowMs = 20;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  await platform.database.query(
    `insert into audit_entries (id, account_id, at, action, target_type, target_id)
     select gen_random_uuid(), $1, now() - n * interval '1 second', 'test.slow', 'test', n::text from generate_series(1, 300) n`,
    [account.id],
  );
  await platform.database.query('analyze audit_entries');
});
afterAll(() => platform.close());

const ask = (filter: object) => account.admin.client.list('/audit', filter, { page: '1' });

test('LIST-22 a total that can be counted in time is exact and not marked as an estimate', async () => {
  const answer = await ask({ limit: 1, where: { action: 'test.slow' } });
  expect(answer.body.meta.totalItemCount).toBe(300);
  expect(answer.headers).not.toHaveProperty('x-total-estimated');
});

test('LIST-22 LIST-23 estimates a total that is slow to count, and rejects a filter that runs too long', async () => {
  await platform.database.query(
    `create function dawdle(id uuid) returns boolean language plpgsql as $$
     begin perform pg_sleep(${rowMs / 1000}); return true; end $$;
     alter policy own_account on audit_entries using (account_id = current_account() and dawdle(id))`,
  );

  const estimated = await ask({ limit: 1, where: { action: 'test.slow' } });
  expect(estimated.status).toBe(200);
  expect(estimated.headers['x-total-estimated']).toBe('true');
  expect(estimated.body.data).toHaveLength(1);
  expect(estimated.body.meta.totalItemCount).toBeGreaterThan(1);
  expect(estimated.body.meta.nextPage).toBe(2);

  const refused = await ask({ where: { action: { like: 'no such%' } } });
  expect(refused.status).toBe(400);
  expect(refused.body.error.errorCode).toBe('FILTER_TOO_EXPENSIVE');
  expect(refused.body.error.message).toMatch(/narrow/i);
});

test('LIST-23 serves the next request after a filter timed out', async () => {
  await platform.database.query(
    'alter policy own_account on audit_entries using (account_id = current_account())',
  );
  const answer = await ask({ limit: 1 });
  expect(answer.status).toBe(200);
  expect(answer.body.meta.totalItemCount).toBeGreaterThan(300);
});
