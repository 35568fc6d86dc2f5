import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Budgeted, setBudget } from '../../../src/contexts/limits/index.ts';
import { createInstruments } from '../../../src/main/observe/instruments.ts';
import { exportStateMetrics } from '../../../src/main/observe/state.ts';
import { createMetrics } from '../../../src/platform/telemetry/metrics.ts';
import {
  type CallingAccount,
  createCallingAccount,
  startCallLimitPlatform,
} from '../../harness/fixtures/call-limits.ts';
import { nextBody } from '../../harness/fixtures/extensions.ts';
import { integrationBody } from '../../harness/fixtures/integrations.ts';
import { openOperator, type TestOperator } from '../../harness/operator.ts';
import type { Platform } from '../../harness/platform.ts';

let platform: Platform;
let operator: TestOperator;
beforeAll(async () => {
  platform = await startCallLimitPlatform();
  operator = openOperator(platform);
});
afterAll(async () => {
  await operator.close();
  await platform.close();
});

/** Uses one unit of the budget. */
const uses: Record<string, (account: CallingAccount) => Promise<unknown>> = {
  calls: (account) => account.call(),
  recorded_minutes: ({ id }) => addRecorded(id, 60_000, 0),
  stored_megabytes: ({ id }) => addRecorded(id, 0, 1_000_000),
  async webhook_requests({ id, admin }) {
    await admin.client.patch('/integrations', integrationBody());
    // The two lanes have the budget each, so what the other one uses does not count.
    await platform.database.query(
      `insert into delivery_queue (delivery_id, integration_id, is_retry, due_at, taken_until)
       select gen_random_uuid(), i.id, lane.is_retry, now(), now() + interval '1 minute'
         from integrations i, (values (false), (true)) as lane (is_retry) where i.account_id = $1`,
      [id],
    );
  },
  async relay_quotas({ admin }) {
    const { id } = (await admin.client.post('/extensions/next-available', nextBody())).body;
    expect((await admin.client.post(`/extensions/${id}/phone-sessions`)).status).toBe(200);
  },
};

const addRecorded = (accountId: number, ms: number, bytes: number) =>
  platform.database.query(
    `insert into recording_use as u (account_id, stored_bytes, day, recorded_ms)
     values ($1, $3, (now() at time zone 'America/Sao_Paulo')::date, $2)
     on conflict (account_id) do update set stored_bytes = u.stored_bytes + $3, recorded_ms = u.recorded_ms + $2`,
    [accountId, ms, bytes],
  );

/** Reads the metric as a worker exports it, without its cache. */
async function usedUp(): Promise<Record<string, number>> {
  const metrics = createMetrics('worker');
  exportStateMetrics(createInstruments(metrics, 'worker'), platform.api.base.db);
  const lines = (await metrics.text()).matchAll(/^disca_budgets_used_up\{.*resource="(\w+)".*\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, resource, accounts]) => [resource, Number(accounts)]));
}

const none = Object.fromEntries(Object.keys(uses).map((resource) => [resource, 0]));

test.each(Object.entries(uses))(
  'LIMIT-30 the metric counts an account that uses up its %s',
  async (resource, use) => {
    const [account, other] = [await createCallingAccount(platform), await createCallingAccount(platform)];
    await setBudget(operator, account.id, resource as Budgeted, 2);
    for (const each of [account, other, other, other]) await use(each);
    expect(await usedUp()).toEqual(none);
    await use(account);
    expect(await usedUp()).toEqual({ ...none, [resource]: 1 });
    await setBudget(operator, account.id, resource as Budgeted, 3);
    expect(await usedUp()).toEqual(none);
  },
);
