import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncCharge, syncPayment } from '../../../src/contexts/charges/sync-charge.ts';
import {
  create,
  freezeAtNoon,
  type LiveFixture,
  read,
  readAvailable,
  readStatement,
  runDueChecks,
  runSyncJobs,
  sendGatewayEvent,
  setMode,
  startLiveFixture,
} from '../../harness/fixtures/charges.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';

let fixture: LiveFixture;

beforeAll(async () => {
  fixture = await startLiveFixture();
  freezeAtNoon(fixture.platform);
});
afterAll(() => fixture.stop());

async function pay(account: TestAccount, changes: Record<string, unknown> = {}) {
  const charge = await create(fixture.platform, account, changes);
  fixture.asaas.pay(charge.paymentId);
  const event = fixture.asaas
    .events()
    .find(({ payment, event: name }) => payment.id === charge.paymentId && name === 'PAYMENT_RECEIVED');
  if (!event) throw new Error('Nothing was reported.');
  return { ...charge, event };
}

describe('forged and duplicate notifications', () => {
  test('CHARGE-19 one event sent a thousand times to concurrent workers is credited once', async () => {
    const { platform } = fixture;
    const [account, other] = [await fixture.account(), await fixture.account()];
    const [{ event }, second] = [await pay(account), await pay(other, { amount: 70 })];
    const events = Array.from({ length: 1_000 }, (_, index) => (index % 10 === 3 ? second.event : event));
    for (let from = 0; from < events.length; from += 50) {
      const batch = events.slice(from, from + 50).map((each) => sendGatewayEvent(platform, each));
      await runSyncJobs(platform);
      expect(new Set(await Promise.all(batch))).toEqual(new Set([200]));
    }
    const jobs = events.slice(0, 200).map(({ payment }) => payment.id);
    const work = async () => {
      for (let id = jobs.pop(); id; id = jobs.pop()) await syncPayment(platform.api.app, 'asaas', id);
    };
    await Promise.all(Array.from({ length: 10 }, work));
    expect(await readStatement(account)).toEqual([{ type: 'charge', amount: 50 }]);
    expect(await readStatement(other)).toEqual([{ type: 'charge', amount: 70 }]);
  });

  test('a payment notified repeatedly is read once, and again when notified after that', async () => {
    const { platform, asaas } = fixture;
    const account = await fixture.account();
    const { event, paymentId } = await pay(account);
    const readings = () =>
      asaas.traffic.requests.filter((each) => each === `GET /payments/${paymentId}`).length;
    const before = readings();
    for (let times = 0; times < 20; times += 1) await sendGatewayEvent(platform, event);
    await runSyncJobs(platform);
    expect(readings()).toBe(before + 1);
    await sendGatewayEvent(platform, event);
    await runSyncJobs(platform);
    expect(readings()).toBe(before + 2);
  });

  test.each(['', 'wrong', 'a-token-that-both-sides-know ', undefined])(
    'a notification with the token %j is rejected and credits nothing',
    async (token) => {
      const { platform } = fixture;
      const account = await fixture.account();
      const { event } = await pay(account);
      expect(
        await sendGatewayEvent(platform, event, token === undefined ? {} : { 'asaas-access-token': token }),
      ).toBe(401);
      await runSyncJobs(platform);
      expect(await readAvailable(account)).toBe(0);
    },
  );

  test('rejects a sandbox notification without its signature and one of an unknown gateway', async () => {
    const { platform } = fixture;
    const account = await createAccount(platform);
    const { paymentId } = await create(platform, account);
    const client = platform.client();
    const event = { id: 'evt_1', event: 'PAYMENT_RECEIVED', payment: { id: paymentId } };
    const headers = { 'asaas-access-token': 'a-token-that-both-sides-know' };
    expect((await client.post('/gateways/sandbox/events', event, { headers })).status).toBe(401);
    expect((await client.post('/gateways/paypal/events', event, { headers })).status).toBe(404);
  });

  test('a notification that claims more than the gateway has credits nothing', async () => {
    const { platform } = fixture;
    const account = await fixture.account();
    const { id, paymentId } = await create(platform, account);
    const forged = {
      id: 'evt_forged',
      event: 'PAYMENT_RECEIVED',
      payment: { id: paymentId, status: 'RECEIVED', value: 50 },
    };
    expect(await sendGatewayEvent(platform, forged)).toBe(200);
    await runSyncJobs(platform);
    expect(await readAvailable(account)).toBe(0);
    expect((await read(account, id)).status).toBe('PENDING');
  });

  test('a notification of an unknown payment or without one is accepted and changes nothing', async () => {
    const { platform } = fixture;
    for (const event of [
      { id: 'evt_1', event: 'PAYMENT_RECEIVED', payment: { id: 'pay_of_another_account' } },
      { id: 'evt_2', event: 'TRANSFER_DONE', transfer: {} },
      {},
    ]) {
      expect(await sendGatewayEvent(platform, event)).toBe(200);
    }
    await runSyncJobs(platform);
  });

  test('notifications are not rate limited', async () => {
    const client = fixture.platform.client();
    for (let times = 0; times < 30; times += 1) {
      const answer = await client.post(
        '/gateways/asaas/events',
        {},
        { headers: { 'asaas-access-token': 'no' } },
      );
      expect(answer.status).toBe(401);
    }
  });

  test.each([49.99, 50.01, 5, 5000])(
    'a payment of %d reais for a charge of 50 is not credited',
    async (value) => {
      const { platform, asaas } = fixture;
      const account = await fixture.account();
      const { id, paymentId } = await create(platform, account);
      const gateway = platform.api.money.gateways.of('live');
      const { readPayment } = gateway;
      asaas.pay(paymentId);
      gateway.readPayment = async (requestedId) => {
        const payment = await readPayment(requestedId);
        return payment && { ...payment, totalMicros: Math.round(value * 1_000_000) };
      };
      await fixture.deliver();
      gateway.readPayment = readPayment;
      expect(await readAvailable(account)).toBe(0);
      expect((await read(account, id)).status).toBe('PENDING');
    },
  );

  test('a payment read before a concurrent change of the charge is read again', async () => {
    const { platform, asaas } = fixture;
    const account = await fixture.account();
    const { id, paymentId } = await pay(account, { paymentMethod: 'CREDIT_CARD' });
    await fixture.deliver();
    expect(await readAvailable(account)).toBe(50);
    const gateway = platform.api.money.gateways.of('live');
    const { readPayment } = gateway;
    const at = { accountId: account.id, chargeId: id };
    gateway.readPayment = async (requestedId) => {
      const old = await readPayment(requestedId);
      gateway.readPayment = readPayment;
      asaas.chargeback(paymentId);
      await syncCharge(platform.api.app, at);
      return old;
    };
    await syncCharge(platform.api.app, at);
    expect((await read(account, id)).status).toBe('CHARGEBACK');
    expect(await readAvailable(account)).toBe(0);
  });
});

describe('test credit', () => {
  const balances = async (account: TestAccount) => {
    const inMode: Record<string, number> = {};
    for (const mode of ['test', 'live'] as const) {
      await setMode(fixture.platform, account, mode);
      inMode[mode] = await readAvailable(account);
    }
    return inMode;
  };

  test('CHARGE-24 a live account cannot pay at the sandbox', async () => {
    const { platform } = fixture;
    const account = await fixture.account();
    const { id } = await create(platform, account);
    for (const change of ['pay', 'refund']) {
      const answer = await account.admin.client.post(`/sandbox/charges/${id}/${change}`);
      expect(answer).toMatchObject({ status: 404, body: { error: { errorCode: 'NOT_FOUND' } } });
    }
    platform.clock.advance(600);
    await runDueChecks(platform);
    expect((await read(account, id)).status).toBe('PENDING');
    expect(await balances(account)).toEqual({ test: 0, live: 0 });
  });

  test('stays in the test book when the account is switched, whenever it is paid', async () => {
    const { platform } = fixture;
    const account = await createAccount(platform);
    const payAtSandbox = async (id: number) => {
      const answer = await account.admin.client.post(`/sandbox/charges/${id}/pay`, { notifications: 0 });
      expect(answer.status).toBe(200);
      platform.clock.advance(900);
      await runDueChecks(platform);
    };
    const before = await create(platform, account);
    await payAtSandbox(before.id);
    const open = await create(platform, account, { amount: 30 });
    await setMode(platform, account, 'live');
    expect(await readAvailable(account)).toBe(0);
    expect((await account.admin.client.list('/charges', undefined, { page: '1' })).body.data).toEqual([]);
    await payAtSandbox(open.id);
    expect(await readStatement(account)).toEqual([]);
    expect(await balances(account)).toEqual({ test: 80, live: 0 });
  });

  test('does not mix with live credit when both modes have charges', async () => {
    const { platform } = fixture;
    const account = await fixture.account();
    await pay(account, { amount: 20 });
    await fixture.deliver();
    await setMode(platform, account, 'test');
    expect(await readAvailable(account)).toBe(0);
    const { id } = await create(platform, account, { amount: 40 });
    await account.admin.client.post(`/sandbox/charges/${id}/pay`, { notifications: 0 });
    platform.clock.advance(600);
    await runDueChecks(platform);
    expect(await balances(account)).toEqual({ test: 40, live: 20 });
  });
});
