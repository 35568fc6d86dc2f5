import { type FakeAsaas, startAsaas } from '../../../simulator/asaas/index.ts';
import type { DeliverOptions } from '../../../simulator/asaas/webhooks.ts';
import { syncPaymentQueue } from '../../src/contexts/charges/receive-notification.ts';
import { checkCharges, syncPayment } from '../../src/contexts/charges/sync-charge.ts';
import type { Answer } from '../harness/client.ts';
import { createAccount, type TestAccount } from '../harness/people.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';

export const apiKey = '$aact_hmlg_test';
export const webhookToken = 'a-token-that-both-sides-know';
export const cpf = '52998224725';

/** The platform with a gateway for live accounts. */
export interface LiveScene {
  platform: Platform;
  asaas: FakeAsaas;
  /** An account in live mode; its financial account is ACTIVE unless told otherwise. */
  account(options?: { isActive?: boolean }): Promise<TestAccount>;
  /** Brings the gateway's events to the API and does the jobs they leave behind. */
  deliver(options?: DeliverOptions): Promise<void>;
  stop(): Promise<void>;
}

export async function startLive(settings: Record<string, string> = {}): Promise<LiveScene> {
  let now = () => new Date();
  const asaas = await startAsaas({ apiKey, webhookToken, now: () => now(), quota: 1_000_000 });
  const platform = await startPlatform({
    RATE_LIMIT_SCALE: '1000',
    ASAAS_URL: asaas.url,
    ASAAS_API_KEY: apiKey,
    ASAAS_WEBHOOK_TOKEN: webhookToken,
    ...settings,
  });
  now = () => platform.clock.now();
  return {
    platform,
    asaas,
    async account({ isActive = true } = {}) {
      const account = await createAccount(platform);
      await setMode(platform, account, 'live');
      if (isActive) await account.admin.client.post('/accounts/financial', { cpfCnpj: cpf });
      return account;
    },
    async deliver(options) {
      await asaas.deliver({ ...options, via: (event, headers) => report(platform, event, headers) });
      await doSyncJobs(platform);
    },
    async stop() {
      await platform.close();
      await asaas.stop();
    },
  };
}

/** An event that comes in as the gateway sends it; answers the status. */
export async function report(
  platform: Platform,
  event: object,
  headers: Record<string, string> = { 'asaas-access-token': webhookToken },
): Promise<number> {
  const answer = await platform.client().post('/gateways/asaas/events', event, { headers });
  return answer.status;
}

export const setMode = (platform: Platform, account: TestAccount, mode: 'test' | 'live') =>
  platform.database.query('update accounts set mode = $2 where id = $1', [account.id, mode]);

/** Does what inbound events have queued, as the worker would. */
export async function doSyncJobs(platform: Platform): Promise<void> {
  const jobs = await platform.database.query<{ data: { gateway: 'asaas' | 'sandbox'; paymentId: string } }>(
    `update pgboss.job set state = 'completed' where name = $1 and state = 'created' returning data`,
    [syncPaymentQueue.name],
  );
  for (const { data } of jobs) await syncPayment(platform.api.app, data.gateway, data.paymentId);
}

/** Reads again all that is due, as the worker does by the clock. */
export async function check(platform: Platform): Promise<void> {
  const isDue = 'select from charges where next_check_at <= $1 limit 1';
  do await checkCharges(platform.api.app, AbortSignal.timeout(60_000));
  while ((await platform.database.query(isDue, [platform.clock.now()])).length > 0);
}

/** The day in Sao Paulo that is so many days ahead, as YYYY-MM-DD. Sao Paulo has had no summer time since 2019. */
export const dayAhead = (platform: Platform, days: number): string =>
  new Date(platform.clock.now().getTime() + (days * 24 - 3) * 3_600_000).toISOString().slice(0, 10);

export const chargeBody = (platform: Platform, changes: Record<string, unknown> = {}) => ({
  paymentMethod: 'PIX',
  dueDate: dayAhead(platform, 3),
  amount: 50,
  description: 'Créditos de ligação',
  ...changes,
});

export const post = (
  platform: Platform,
  account: TestAccount,
  changes: Record<string, unknown> = {},
  key?: string,
): Promise<Answer> =>
  account.admin.client.post(
    '/charges',
    chargeBody(platform, changes),
    key === undefined ? {} : { headers: { 'idempotency-key': key } },
  );

export async function create(
  platform: Platform,
  account: TestAccount,
  changes: Record<string, unknown> = {},
): Promise<{ id: number; paymentId: string }> {
  const { status, body, text } = await post(platform, account, changes);
  if (status !== 200) throw new Error(`The charge was answered ${status}: ${text}`);
  return body;
}

export const read = async (account: TestAccount, id: number) =>
  (await account.admin.client.get(`/charges/${id}`)).body;

export const cancel = (account: TestAccount, id: number): Promise<Answer> =>
  account.admin.client.patch(`/charges/${id}/cancel`);

export const availableOf = async (account: TestAccount): Promise<number> =>
  (await account.admin.client.get('/accounts/balance')).body.available;

/** What moved the account's balance, oldest first. */
export async function statementOf(account: TestAccount): Promise<{ type: string; amount: number }[]> {
  const { body } = await account.admin.client.list('/accounts/statement', undefined, { page: '1' });
  return body.data.map(({ type, amount }: { type: string; amount: number }) => ({ type, amount })).reverse();
}

/** Stops the clock and sets it. */
export function moveTo(platform: Platform, moment: string): void {
  platform.clock.freeze();
  platform.clock.advance((Date.parse(moment) - platform.clock.now().getTime()) / 1000);
}
