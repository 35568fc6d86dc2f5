import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  cancel,
  create,
  freezeAtNoon,
  type LiveFixture,
  read,
  readAvailable,
  runDueChecks,
  startLiveFixture,
} from '../../harness/fixtures/charges.ts';
import { createAccount } from '../../harness/people.ts';

let fixture: LiveFixture;

beforeAll(async () => {
  fixture = await startLiveFixture();
  freezeAtNoon(fixture.platform);
});
afterAll(() => fixture.stop());

const notCancelable = { status: 409, body: { error: { errorCode: 'CHARGE_NOT_CANCELABLE' } } };
const notFound = { status: 404, body: { error: { errorCode: 'NOT_FOUND' } } };

test.each(['sandbox', 'asaas'])(
  'CHARGE-09 CHARGE-16 cancels a PENDING charge of %s without a body; idempotent',
  async (gateway) => {
    const { platform } = fixture;
    const account = gateway === 'asaas' ? await fixture.account() : await createAccount(platform);
    const { id, paymentId } = await create(platform, account, { paymentMethod: 'BOLETO' });
    const first = await cancel(account, id);
    expect(first).toMatchObject({ status: 200, body: { id, gateway, status: 'CANCELED', paidAt: null } });
    platform.clock.advance(5);
    const again = await cancel(account, id);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(await read(account, id)).toEqual({ ...first.body, retainedAmount: 0, retainedUntil: null });
    if (gateway === 'asaas') {
      expect(fixture.asaas.payments().find((payment) => payment.id === paymentId)?.deleted).toBe(true);
    }
  },
);

test('CHARGE-16 cancels an OVERDUE charge', async () => {
  const { platform, asaas } = fixture;
  const account = await fixture.account();
  const { id, paymentId } = await create(platform, account);
  asaas.overdue(paymentId);
  await fixture.deliver();
  expect((await read(account, id)).status).toBe('OVERDUE');
  expect(await cancel(account, id)).toMatchObject({ status: 200, body: { status: 'CANCELED' } });
});

test.each([
  ['CONFIRMED', ['confirm']],
  ['RECEIVED', ['pay']],
  ['REFUNDED', ['pay', 'refund']],
  ['CHARGEBACK', ['confirm', 'chargeback']],
] as const)('CHARGE-17 CHARGE-22 does not cancel a charge that is %s', async (status, changes) => {
  const { platform, asaas } = fixture;
  const account = await fixture.account();
  const { id, paymentId } = await create(platform, account);
  for (const change of changes) {
    asaas[change](paymentId);
    await fixture.deliver();
  }
  const before = await read(account, id);
  expect(before.status).toBe(status);
  const credit = await readAvailable(account);
  expect(await cancel(account, id)).toMatchObject(notCancelable);
  expect(await read(account, id)).toEqual(before);
  expect(await readAvailable(account)).toBe(credit);
});

test('CHARGE-17 CHARGE-19 a charge paid just before its cancellation stays paid and credited', async () => {
  const { platform, asaas } = fixture;
  const account = await fixture.account();
  const { id, paymentId } = await create(platform, account);
  asaas.meanwhile(`DELETE /payments/${paymentId}`, () => asaas.pay(paymentId));
  expect(await cancel(account, id)).toMatchObject(notCancelable);
  expect(await read(account, id)).toMatchObject({ status: 'RECEIVED' });
  expect(await readAvailable(account)).toBe(50);
});

test('CHARGE-18 an unknown or foreign charge returns 404', async () => {
  const { platform } = fixture;
  const [account, other] = [await fixture.account(), await fixture.account()];
  const { id } = await create(platform, account);
  expect(await cancel(other, id)).toMatchObject(notFound);
  expect(await cancel(account, 999_999_999)).toMatchObject(notFound);
  expect(await account.admin.client.patch('/charges/nonsense/cancel')).toMatchObject(notFound);
  expect((await read(account, id)).status).toBe('PENDING');
});

test('a cancellation that the gateway does not answer returns 503, and the next check resolves it', async () => {
  const { platform, asaas } = fixture;
  const account = await fixture.account();
  const { id, paymentId } = await create(platform, account);
  asaas.fault('500-after-effect', { on: `DELETE /payments/${paymentId}` });
  asaas.meanwhile(`DELETE /payments/${paymentId}`, () =>
    asaas.fault('500', { on: `GET /payments/${paymentId}` }),
  );
  expect(await cancel(account, id)).toMatchObject({
    status: 503,
    body: { error: { errorCode: 'PAYMENTS_UNAVAILABLE' } },
  });
  expect((await read(account, id)).status).toBe('PENDING');
  platform.clock.advance(120);
  await runDueChecks(platform);
  expect((await read(account, id)).status).toBe('CANCELED');
});
