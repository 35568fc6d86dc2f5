import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepIdempotencyKeys } from '../../../src/platform/idempotency.ts';
import {
  cancel,
  chargeBody,
  create,
  dayAhead,
  freezeAtNoon,
  type LiveFixture,
  post,
  readAvailable,
  runDueChecks,
  setClock,
  startLiveFixture,
} from '../../harness/fixtures/charges.ts';
import type { TestAccount } from '../../harness/people.ts';

let fixture: LiveFixture;

beforeAll(async () => {
  fixture = await startLiveFixture();
  freezeAtNoon(fixture.platform);
});
afterAll(() => fixture.stop());

const conflict = {
  status: 409,
  headers: { 'retry-after': '1' },
  body: { error: { errorCode: 'IDEMPOTENCY_CONFLICT' } },
};
const reused = { status: 422, body: { error: { errorCode: 'IDEMPOTENCY_KEY_REUSED' } } };
const unavailable = { status: 503, body: { error: { errorCode: 'PAYMENTS_UNAVAILABLE' } } };

async function countCharges(account: TestAccount): Promise<number> {
  const { body } = await account.admin.client.list('/charges', undefined, { page: '1' });
  return body.meta.totalItemCount;
}

/** Returns the account's payments at the gateway. */
async function listPayments(account: TestAccount) {
  const rows = await fixture.platform.database.query<{ reference: string }>(
    'select reference from charges where account_id = $1',
    [account.id],
  );
  const references = new Set(rows.map(({ reference }) => reference));
  return fixture.asaas.payments().filter(({ externalReference }) => references.has(externalReference ?? ''));
}

test('CHARGE-21 a repetition gets the first response, marked as replayed, and no second charge', async () => {
  const { platform } = fixture;
  const account = await fixture.account();
  const key = randomUUID();
  // Fixed, because the clock may cross midnight below.
  const due = { dueDate: dayAhead(platform, 3) };
  const first = await post(platform, account, due, key);
  expect(first.status).toBe(200);
  expect(first.headers['idempotency-replayed']).toBeUndefined();
  platform.clock.advance(3600);
  const again = await post(platform, account, due, key);
  expect(again.status).toBe(200);
  expect(again.text).toBe(first.text);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(await countCharges(account)).toBe(1);
  expect(await listPayments(account)).toHaveLength(1);
});

test('CHARGE-21 replays the first response even after the charge changed or became due', async () => {
  const { platform } = fixture;
  const start = platform.clock.now().toISOString();
  // Sets the time to ten minutes before midnight in Sao Paulo.
  setClock(platform, `${dayAhead(platform, 1)}T02:50:00.000Z`);
  const account = await fixture.account();
  const key = randomUUID();
  const changes = { dueDate: dayAhead(platform, 1) };
  const first = await post(platform, account, changes, key);
  await cancel(account, first.body.id);
  platform.clock.advance(1200);
  const again = await post(platform, account, changes, key);
  expect(again.text).toBe(first.text);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect((await post(platform, account, changes)).status).toBe(422);
  expect(await countCharges(account)).toBe(1);
  setClock(platform, start);
});

test('CHARGE-21 treats equivalent bodies as equal', async () => {
  const { platform } = fixture;
  const account = await fixture.account();
  const key = randomUUID();
  const first = await post(platform, account, { amount: 12.5 }, key);
  const { paymentMethod, dueDate, description } = chargeBody(platform);
  const raw = `{"description":" ${description} ","amount":12.500,"status":"RECEIVED","dueDate":"${dueDate}","paymentMethod":"${paymentMethod}"}`;
  const again = await account.admin.client.request('POST', '/charges', {
    raw,
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
  });
  expect(again.text).toBe(first.text);
});

test.each([{ amount: 50.01 }, { description: 'Outra' }, { paymentMethod: 'BOLETO' }])(
  'CHARGE-21 rejects a key already used with another body: %j',
  async (changes) => {
    const { platform } = fixture;
    const account = await fixture.account();
    const key = randomUUID();
    await post(platform, account, {}, key);
    expect(await post(platform, account, changes, key)).toMatchObject(reused);
    expect(await countCharges(account)).toBe(1);
  },
);

test('CHARGE-21 rejects a key whose first request is still running', async () => {
  const { platform } = fixture;
  const account = await fixture.account();
  const key = randomUUID();
  const gateway = platform.api.money.gateways.of('live');
  const { ensurePayment } = gateway;
  const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  gateway.ensurePayment = async (payment) => {
    asked.resolve();
    await go.promise;
    return await ensurePayment(payment);
  };
  const first = post(platform, account, {}, key);
  await asked.promise;
  expect(await post(platform, account, {}, key)).toMatchObject(conflict);
  expect(await post(platform, account, { amount: 60 }, key)).toMatchObject(reused);
  gateway.ensurePayment = ensurePayment;
  go.resolve();
  expect((await first).status).toBe(200);
  expect((await post(platform, account, {}, key)).headers['idempotency-replayed']).toBe('true');
});

test('CHARGE-21 one of many equal concurrent requests creates the charge', async () => {
  const { platform } = fixture;
  const account = await fixture.account();
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(platform, account, {}, key)));
  const made = answers.filter(({ status, headers }) => status === 200 && !headers['idempotency-replayed']);
  expect(made).toHaveLength(1);
  for (const answer of answers) {
    if (answer.status !== 200) expect(answer).toMatchObject(conflict);
    else expect(answer.text).toBe(made[0]?.text);
  }
  expect(await listPayments(account)).toHaveLength(1);
});

test('CHARGE-21 a rejected request can be retried with its key, even with another body', async () => {
  const { platform } = fixture;
  const account = await fixture.account({ isActive: false });
  const key = randomUUID();
  expect(await post(platform, account, {}, key)).toMatchObject({
    status: 409,
    body: { error: { errorCode: 'FINANCIAL_ACCOUNT_INACTIVE' } },
  });
  expect((await post(platform, account, { amount: 1 }, key)).status).toBe(422);
  await account.admin.client.post('/accounts/financial', { cpfCnpj: '52998224725' });
  const answer = await post(platform, account, { amount: 70 }, key);
  expect(answer).toMatchObject({ status: 200, body: { amount: 70 } });
});

test('CHARGE-21 a request that met an open charge can be retried once that is gone', async () => {
  const { platform } = fixture;
  const account = await fixture.account();
  const { id } = await create(platform, account);
  const key = randomUUID();
  expect((await post(platform, account, {}, key)).status).toBe(409);
  await cancel(account, id);
  const answer = await post(platform, account, {}, key);
  expect(answer.status).toBe(200);
  expect(answer.headers['idempotency-replayed']).toBeUndefined();
});

test('CHARGE-21 a request that the gateway did not answer can be retried immediately, with one payment', async () => {
  const { platform, asaas } = fixture;
  const account = await fixture.account();
  const key = randomUUID();
  asaas.fault('500-after-effect', { on: 'POST /payments' });
  asaas.meanwhile('POST /payments', () => asaas.fault('500', { on: 'GET /payments' }));
  expect(await post(platform, account, {}, key)).toMatchObject(unavailable);
  const again = await post(platform, account, {}, key);
  expect(again.status).toBe(200);
  expect(await listPayments(account)).toHaveLength(1);
  expect((await post(platform, account, {}, key)).text).toBe(again.text);
  expect(await countCharges(account)).toBe(1);
});

test('CHARGE-21 a request rejected by the gateway can be retried, immediately and later', async () => {
  const { platform, asaas } = fixture;
  const account = await fixture.account();
  const setCustomer = (customerId: string) =>
    platform.database.query('update financial_accounts set customer_id = $2 where account_id = $1', [
      account.id,
      customerId,
    ]);
  const customer = asaas.customers().at(-1)?.id ?? '';
  await setCustomer('cus_gone');
  const key = randomUUID();
  const refused = {
    status: 422,
    body: { error: { errorCode: 'VALIDATION_ERROR', details: [{ code: 'gateway_refused' }] } },
  };
  expect(await post(platform, account, {}, key)).toMatchObject(refused);
  expect(await post(platform, account, {}, key)).toMatchObject(refused);
  platform.clock.advance(60);
  expect(await post(platform, account, {}, key)).toMatchObject(refused);
  await setCustomer(customer);
  expect((await post(platform, account, {}, key)).status).toBe(200);
  expect(await countCharges(account)).toBe(1);
});

test('CHARGE-21 one of two repetitions of an abandoned request continues', async () => {
  const { platform } = fixture;
  const account = await fixture.account();
  const key = randomUUID();
  const { body } = await post(platform, account, {}, key);
  // Simulates a process that died after storing the charge.
  await platform.database.query('update charges set payment_id = null, next_check_at = $2 where id = $1', [
    body.id,
    platform.clock.now(),
  ]);
  await platform.database.query('update idempotency_keys set status = null, body = null where key = $1', [
    key,
  ]);
  expect(await post(platform, account, {}, key)).toMatchObject(conflict);
  platform.clock.advance(31);
  const answers = await Promise.all(Array.from({ length: 6 }, () => post(platform, account, {}, key)));
  const made = answers.filter(({ status, headers }) => status === 200 && !headers['idempotency-replayed']);
  expect(made).toHaveLength(1);
  for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(conflict);
  expect(made[0]?.body).toEqual(body);
  expect(await listPayments(account)).toHaveLength(1);
});

test('CHARGE-21 concurrent check and request create one payment', async () => {
  const { platform, asaas } = fixture;
  const account = await fixture.account();
  const key = randomUUID();
  asaas.fault('500', { on: 'GET /payments' });
  expect(await post(platform, account, {}, key)).toMatchObject(unavailable);
  const asked = new Promise<void>((resolve) => asaas.meanwhile('GET /payments', resolve));
  const checking = runDueChecks(platform);
  await asked;
  const meanwhile = await post(platform, account, {}, key);
  await checking;
  if (meanwhile.status !== 200) expect(meanwhile).toMatchObject(conflict);
  expect(await listPayments(account)).toHaveLength(1);
  expect(await countCharges(account)).toBe(1);
});

test('CHARGE-21 keys are separate per account', async () => {
  const { platform } = fixture;
  const [one, other] = [await fixture.account(), await fixture.account()];
  const key = randomUUID();
  const first = await post(platform, one, {}, key);
  const second = await post(platform, other, { amount: 70 }, key);
  expect(second.status).toBe(200);
  expect(second.body.id).not.toBe(first.body.id);
  expect(second.headers['idempotency-replayed']).toBeUndefined();
});

test('CHARGE-21 a key is shared by all ADMINs of the account', async () => {
  const { platform } = fixture;
  const account = await fixture.account();
  const other = await account.addUser('ADMIN');
  const key = randomUUID();
  const first = await post(platform, account, {}, key);
  const again = await other.client.post('/charges', chargeBody(platform), {
    headers: { 'idempotency-key': key },
  });
  expect(again.text).toBe(first.text);
});

test.each([true, false])(
  'CHARGE-21 accepts a key again after 24 hours; expired keys swept: %j',
  async (isSwept) => {
    const { platform } = fixture;
    const account = await fixture.account();
    const key = randomUUID();
    const first = await post(platform, account, {}, key);
    await cancel(account, first.body.id);
    const changes = { dueDate: dayAhead(platform, 3) };
    platform.clock.advance(24 * 3600 - 60);
    if (isSwept) await sweepIdempotencyKeys(platform.api.app, AbortSignal.timeout(120_000));
    expect((await post(platform, account, changes, key)).headers['idempotency-replayed']).toBe('true');
    platform.clock.advance(61);
    if (isSwept) await sweepIdempotencyKeys(platform.api.app, AbortSignal.timeout(120_000));
    const anew = await post(platform, account, changes, key);
    expect(anew.status).toBe(200);
    expect(anew.headers['idempotency-replayed']).toBeUndefined();
    expect(anew.body.id).not.toBe(first.body.id);
  },
);

test('CHARGE-21 the key is optional; an empty or too long one is rejected', async () => {
  const { platform } = fixture;
  const account = await fixture.account();
  expect((await post(platform, account, {}, '')).status).toBe(422);
  expect((await post(platform, account, {}, 'k'.repeat(256))).status).toBe(422);
  expect((await post(platform, account, {}, 'k'.repeat(255))).status).toBe(200);
  const { body } = await account.admin.client.list('/charges', undefined, { page: '1' });
  await cancel(account, body.data[0].id);
  expect((await post(platform, account)).status).toBe(200);
  expect(await readAvailable(account)).toBe(0);
});
