import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parsePixCode } from '../../adapters/payments/pix-code.ts';
import {
  create,
  freezeAtNoon,
  type LiveFixture,
  post,
  read,
  readAvailable,
  runDueChecks,
  setMode,
  startLiveFixture,
} from '../../harness/fixtures/charges.ts';
import { createAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

const inactive = { status: 409, body: { error: { errorCode: 'FINANCIAL_ACCOUNT_INACTIVE' } } };
const unavailable = { status: 503, body: { error: { errorCode: 'PAYMENTS_UNAVAILABLE' } } };

describe('a live account without a configured gateway', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform();
  });
  afterAll(() => platform.close());

  test('CHARGE-12 gets 503 for a charge and for its tax id, and no charge is stored', async () => {
    const account = await createAccount(platform);
    await setMode(platform, account, 'live');
    const answer = await post(platform, account);
    expect(answer).toMatchObject(unavailable);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(await account.admin.client.post('/accounts/financial', { cpfCnpj: '52998224725' })).toMatchObject(
      unavailable,
    );
    expect(await platform.database.query('select from charges')).toHaveLength(0);
    await setMode(platform, account, 'test');
    expect((await post(platform, account)).status).toBe(200);
  });
});

describe('a live account', () => {
  let fixture: LiveFixture;
  beforeAll(async () => {
    fixture = await startLiveFixture({ CHARGE_FEE: '1.5' });
    freezeAtNoon(fixture.platform);
  });
  afterAll(() => fixture.stop());

  test('CHARGE-12 has its charges at Asaas, PENDING and of type CREDIT', async () => {
    const account = await fixture.account();
    const { status, body } = await post(fixture.platform, account, {
      amount: 49_990.01,
      description: 'Recarga',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'PENDING',
      type: 'CREDIT',
      gateway: 'asaas',
      totalAmount: 49_991.51,
    });
    const payment = fixture.asaas.payments().find(({ id }) => id === body.paymentId);
    expect(payment).toMatchObject({
      billingType: 'PIX',
      value: 49_991.51,
      dueDate: body.dueDate.slice(0, 10),
      description: 'Recarga',
      invoiceUrl: body.paymentLink,
    });
    expect(fixture.asaas.customers().find(({ id }) => id === payment?.customer)).toMatchObject({
      externalReference: account.uuid,
    });
  });

  test('CHARGE-03 keeps DEBIT_CARD, sent to the gateway as the payer’s choice', async () => {
    const account = await fixture.account();
    const { id, paymentId } = await create(fixture.platform, account, { paymentMethod: 'DEBIT_CARD' });
    expect((await read(account, id)).paymentMethod).toBe('DEBIT_CARD');
    expect(fixture.asaas.payments().find((payment) => payment.id === paymentId)?.billingType).toBe(
      'UNDEFINED',
    );
  });

  test('CHARGE-02 keeps the line of a bank slip after payment', async () => {
    const account = await fixture.account();
    const { id, paymentId } = await create(fixture.platform, account, { paymentMethod: 'BOLETO' });
    const { paymentCode } = await read(account, id);
    expect(paymentCode).toMatch(/^\d{47}$/);
    fixture.asaas.pay(paymentId);
    await fixture.deliver();
    expect(await read(account, id)).toMatchObject({
      status: 'RECEIVED',
      paymentCode,
      receivedAt: expect.any(String),
    });
  });

  test('CHARGE-25 needs an ACTIVE financial account, unlike a test account', async () => {
    const { platform } = fixture;
    const account = await fixture.account({ isActive: false });
    expect(await post(platform, account)).toMatchObject(inactive);
    await account.admin.client.request('PUT', '/accounts/financial', { body: { phone: '1133334444' } });
    expect(await post(platform, account)).toMatchObject(inactive);
    await setMode(platform, account, 'test');
    expect((await post(platform, account)).status).toBe(200);
    await setMode(platform, account, 'live');
    expect(await post(platform, account)).toMatchObject(inactive);
    await account.admin.client.post('/accounts/financial', { cpfCnpj: '52998224725' });
    expect((await post(platform, account)).status).toBe(200);
  });

  test('CHARGE-25 an account ACTIVE in test mode is not ACTIVE in live mode', async () => {
    const { platform } = fixture;
    const account = await createAccount(platform);
    await account.admin.client.post('/accounts/financial', { cpfCnpj: '52998224725' });
    await setMode(platform, account, 'live');
    expect(await post(platform, account)).toMatchObject(inactive);
  });

  test('CHARGE-25 cannot create charges while its financial account is BLOCKED', async () => {
    const account = await fixture.account();
    await fixture.platform.database.query(
      `update financial_accounts set status = 'BLOCKED' where account_id = $1`,
      [account.id],
    );
    expect(await post(fixture.platform, account)).toMatchObject(inactive);
  });

  test('CHARGE-27 returns the gateway’s Pix code, with the total', async () => {
    const account = await fixture.account();
    const { id } = await create(fixture.platform, account, { amount: 33.33 });
    const { body } = await account.admin.client.get(`/charges/${id}/pix`);
    expect(parsePixCode(body.code)).toMatchObject({ '54': '34.83' });
    expect(body.image).toMatch(/^data:image\/png;base64,/);
  });

  test('CHARGE-27 a card charge has no Pix code', async () => {
    const account = await fixture.account();
    const { id } = await create(fixture.platform, account, { paymentMethod: 'CREDIT_CARD' });
    expect((await account.admin.client.get(`/charges/${id}/pix`)).status).toBe(422);
    fixture.asaas.fault('500', { on: 'GET /payments' });
    expect(await account.admin.client.get(`/charges/${id}/pix`)).toMatchObject(unavailable);
  });
});

describe('a failing gateway', () => {
  let fixture: LiveFixture;
  beforeAll(async () => {
    fixture = await startLiveFixture();
    freezeAtNoon(fixture.platform);
  });
  afterAll(() => fixture.stop());

  /** Returns the payments at the gateway for an account's charges. */
  async function listPayments(accountId: number) {
    const rows = await fixture.platform.database.query<{ reference: string }>(
      'select reference from charges where account_id = $1',
      [accountId],
    );
    return fixture.asaas.payments().filter((payment) => payment.externalReference === rows[0]?.reference);
  }

  test.each([
    '500',
    'hang-up',
    '401',
    '500-after-effect',
    'hang-up-after-effect',
    'broken-json-after-effect',
  ] as const)(
    'a charge whose POST ends in %s is completed by the next check, with one payment',
    async (fault) => {
      const { platform, asaas } = fixture;
      const account = await fixture.account();
      asaas.fault(fault, { on: 'POST /payments' });
      asaas.meanwhile('POST /payments', () => asaas.fault('500', { on: 'GET /payments' }));
      expect(await post(platform, account)).toMatchObject(unavailable);
      const { body: none } = await account.admin.client.list('/charges', undefined, { page: '1' });
      expect(none.data).toEqual([]);
      await runDueChecks(platform);
      const { body } = await account.admin.client.list('/charges', undefined, { page: '1' });
      expect(body.data).toMatchObject([{ status: 'PENDING', gateway: 'asaas' }]);
      expect(await listPayments(account.id)).toMatchObject([{ id: body.data[0].paymentId }]);
      asaas.heal();
    },
  );

  test('a 429 is returned with the gateway’s Retry-After', async () => {
    const { platform, asaas } = fixture;
    const account = await fixture.account();
    asaas.fault('429', { on: 'POST /payments' });
    const answer = await post(platform, account);
    expect(answer).toMatchObject(unavailable);
    expect(answer.headers['retry-after']).toBe('30');
    platform.clock.advance(60);
  });

  test('a payment whose response was lost and that was paid immediately is credited by its notification', async () => {
    const { platform, asaas } = fixture;
    const account = await fixture.account();
    asaas.fault('504-effect-later', { on: 'POST /payments' });
    expect(await post(platform, account)).toMatchObject(unavailable);
    asaas.land();
    const [payment] = await listPayments(account.id);
    asaas.pay(payment?.id ?? '');
    await fixture.deliver({ duplicate: 1 });
    expect(await readAvailable(account)).toBe(50);
    await runDueChecks(platform);
    await fixture.deliver();
    expect(await readAvailable(account)).toBe(50);
    expect(platform.logLines.filter((line) => line.includes('paid twice'))).toEqual([]);
  });

  test('a second payment of one charge is not credited, and is reported to the operator', async () => {
    const { platform, asaas } = fixture;
    const account = await fixture.account();
    asaas.fault('504-effect-later', { on: 'POST /payments' });
    expect(await post(platform, account)).toMatchObject(unavailable);
    await runDueChecks(platform);
    asaas.land();
    const payments = await listPayments(account.id);
    expect(payments).toHaveLength(2);
    for (const { id } of payments) asaas.pay(id);
    await fixture.deliver({ shuffle: true, duplicate: 1 });
    await runDueChecks(platform);
    expect(await readAvailable(account)).toBe(50);
    expect(platform.logLines.some((line) => line.includes('paid twice'))).toBe(true);
  });

  test('a charge rejected by the gateway does not block the next', async () => {
    const { platform, asaas } = fixture;
    const account = await fixture.account();
    const customers = asaas.customers();
    await platform.database.query(
      `update financial_accounts set customer_id = 'cus_gone' where account_id = $1`,
      [account.id],
    );
    const answer = await post(platform, account);
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { details: [{ code: 'gateway_refused' }] } },
    });
    await platform.database.query('update financial_accounts set customer_id = $2 where account_id = $1', [
      account.id,
      customers.at(-1)?.id,
    ]);
    expect((await post(platform, account)).status).toBe(200);
  });
});
