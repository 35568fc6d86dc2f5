import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelCharge } from '../../../src/contexts/charges/cancel-charge.ts';
import { deleteCharge } from '../../../src/contexts/charges/charge.store.ts';
import type { PaymentGateway } from '../../../src/contexts/charges/index.ts';
import { syncPayment } from '../../../src/contexts/charges/sync-charge.ts';
import { within } from '../../harness/fixtures/billing.ts';
import {
  create,
  freezeAtNoon,
  type LiveFixture,
  read,
  readAvailable,
  readStatement,
  runDueChecks,
  setMode,
  startLiveFixture,
} from '../../harness/fixtures/charges.ts';
import { createAccount } from '../../harness/people.ts';

let fixture: LiveFixture;
beforeAll(async () => {
  fixture = await startLiveFixture();
  freezeAtNoon(fixture.platform);
});
afterAll(() => fixture.stop());

const asaas = (): PaymentGateway => fixture.platform.api.app.gateways.of('live');

test('a cancellation does not overwrite a refund made during the gateway request', async () => {
  const { platform } = fixture;
  const account = await fixture.account();
  const { id, paymentId } = await create(platform, account);
  const gateways = {
    ...platform.api.app.gateways,
    of: () => ({
      ...asaas(),
      async cancelPayment() {
        fixture.asaas.pay(paymentId);
        const answer = await asaas().cancelPayment(paymentId);
        await fixture.deliver();
        fixture.asaas.refund(paymentId, 20);
        await fixture.deliver();
        return answer;
      },
    }),
  };
  const caller = { accountId: account.id } as Parameters<typeof cancelCharge>[1];
  await expect(cancelCharge({ ...platform.api.app, gateways }, caller, id)).rejects.toMatchObject({
    code: 'CHARGE_NOT_CANCELABLE',
  });
  expect(await readAvailable(account)).toBe(30);
});

test('the next check finds a cancellation whose process died after the gateway did it', async () => {
  const { platform } = fixture;
  const account = await fixture.account();
  const { id } = await create(platform, account);
  const died = new Error('The process died.');
  const gateways = {
    ...platform.api.app.gateways,
    of: () => ({
      ...asaas(),
      async cancelPayment(paymentId: string) {
        await asaas().cancelPayment(paymentId);
        throw died;
      },
    }),
  };
  const caller = { accountId: account.id } as Parameters<typeof cancelCharge>[1];
  await expect(cancelCharge({ ...platform.api.app, gateways }, caller, id)).rejects.toBe(died);
  expect((await read(account, id)).status).toBe('PENDING');
  platform.clock.advance(16);
  await runDueChecks(platform);
  expect((await read(account, id)).status).toBe('CANCELED');
});

test('a charge with a payment is not removed by a concurrent rejection of the gateway', async () => {
  const account = await fixture.account();
  const { id } = await create(fixture.platform, account);
  await within(fixture.platform, account.id, (tx) => deleteCharge(tx, account.id, id));
  expect((await read(account, id)).status).toBe('PENDING');
});

test('a payment of another amount is not credited, and is reported to the operator', async () => {
  const { platform } = fixture;
  const account = await fixture.account();
  const { id, paymentId } = await create(platform, account);
  const smaller: PaymentGateway = {
    ...asaas(),
    async readPayment(requestedId) {
      const payment = await asaas().readPayment(requestedId);
      return payment && { ...payment, totalMicros: payment.totalMicros - 10_000 };
    },
  };
  fixture.asaas.pay(paymentId);
  const gateways = { ...platform.api.app.gateways, named: () => smaller };
  await syncPayment({ ...platform.api.app, gateways }, 'asaas', paymentId);
  expect([(await read(account, id)).status, await readAvailable(account)]).toEqual(['PENDING', 0]);
  const reported = platform.logLines.filter((line) => line.includes('amount differs from its charge'));
  expect(reported.map((line) => JSON.parse(line))).toMatchObject([
    { charge: id, paymentId, paidMicros: 49_990_000, expectedMicros: 50_000_000 },
  ]);
});

test('a credited payment that the gateway reports as unpaid again is reported to the operator', async () => {
  const { platform } = fixture;
  const account = await fixture.account();
  const { id, paymentId } = await create(platform, account);
  fixture.asaas.pay(paymentId);
  fixture.asaas.refund(paymentId, 20);
  await fixture.deliver();
  const undone: PaymentGateway = {
    ...asaas(),
    async readPayment(requestedId) {
      const payment = await asaas().readPayment(requestedId);
      return payment && { ...payment, status: 'PENDING', refundedMicros: 0 };
    },
  };
  const gateways = { ...platform.api.app.gateways, named: () => undone };
  await syncPayment({ ...platform.api.app, gateways }, 'asaas', paymentId);
  expect([(await read(account, id)).status, await readAvailable(account)]).toEqual(['RECEIVED', 30]);
  expect(platform.logLines.filter((line) => line.includes('is no longer paid'))).toHaveLength(1);
});

test('a second payment of a refunded charge is reported, and the charge does not change', async () => {
  const { platform } = fixture;
  const account = await fixture.account();
  const { id, paymentId } = await create(platform, account);
  fixture.asaas.pay(paymentId);
  await fixture.deliver();
  fixture.asaas.refund(paymentId);
  await fixture.deliver();
  const second: PaymentGateway = {
    ...asaas(),
    async readPayment() {
      const payment = await asaas().readPayment(paymentId);
      return payment && { ...payment, id: 'pay_second', status: 'RECEIVED', refundedMicros: 0 };
    },
  };
  const gateways = { ...platform.api.app.gateways, named: () => second };
  await syncPayment({ ...platform.api.app, gateways }, 'asaas', 'pay_second');
  expect(await read(account, id)).toMatchObject({ status: 'REFUNDED', paymentId });
  expect(await readAvailable(account)).toBe(0);
  expect(platform.logLines.filter((line) => line.includes('paid twice'))).toHaveLength(1);
});

test('a charge left without a payment by a dead process is checked before all others', async () => {
  const { platform } = fixture;
  const accounts = await Promise.all(Array.from({ length: 12 }, () => createAccount(platform)));
  const charges: { id: number; paymentId: string }[] = [];
  for (const account of accounts) charges.push(await create(platform, account));
  const [left, ...others] = charges;
  const now = platform.clock.now().getTime();
  const due = (id: number | undefined, secondsAgo: number) =>
    platform.database.query('update charges set next_check_at = $2 where id = $1', [
      id,
      new Date(now - secondsAgo * 1000),
    ]);
  for (const { id } of others) await due(id, 3600);
  await platform.database.query('update charges set payment_id = null where id = $1', [left?.id]);
  await due(left?.id, 1);
  const [first] = await platform.database.query<{ charge_id: string }>(
    'select charge_id from find_charges_to_check($1, 10)',
    [platform.clock.now()],
  );
  expect(Number(first?.charge_id)).toBe(left?.id);
  await runDueChecks(platform);
  expect(await read(accounts[0] as (typeof accounts)[0], left?.id ?? 0)).toMatchObject({
    paymentId: left?.paymentId,
  });
});

test('a charge created in test mode and paid in live mode credits the test book only', async () => {
  const { platform } = fixture;
  const account = await createAccount(platform);
  const { id } = await create(platform, account);
  await setMode(platform, account, 'live');
  expect((await account.admin.client.post(`/sandbox/charges/${id}/pay`)).status).toBe(200);
  platform.clock.advance(3600);
  await runDueChecks(platform);
  expect((await read(account, id)).status).toBe('RECEIVED');
  expect([await readAvailable(account), await readStatement(account)]).toEqual([0, []]);
  await setMode(platform, account, 'test');
  expect([await readAvailable(account), await readStatement(account)]).toEqual([
    50,
    [{ type: 'charge', amount: 50 }],
  ]);
  await expect(
    platform.database.query(`update charges set book = 'live' where id = $1`, [id]),
  ).rejects.toThrow('charges_gateway_of_book');
});
