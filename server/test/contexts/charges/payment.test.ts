import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveCredit } from '../../harness/fixtures/billing.ts';
import {
  cancel,
  create,
  freezeAtNoon,
  type LiveFixture,
  post,
  read,
  readAvailable,
  readStatement,
  runDueChecks,
  sendGatewayEvent,
  startLiveFixture,
} from '../../harness/fixtures/charges.ts';
import type { TestAccount } from '../../harness/people.ts';

let fixture: LiveFixture;
let account: TestAccount;
let charge: { id: number; paymentId: string };

beforeAll(async () => {
  fixture = await startLiveFixture({ CHARGE_FEE: '2' });
  freezeAtNoon(fixture.platform);
});
afterAll(() => fixture.stop());

async function begin(changes: Record<string, unknown> = {}): Promise<void> {
  account = await fixture.account();
  charge = await create(fixture.platform, account, changes);
}

type Change = 'confirm' | 'pay' | 'refund' | 'chargeback' | 'reverseChargeback' | 'overdue';

/** Changes the payment at the gateway and delivers its notification. */
async function changePayment(change: Change): Promise<string> {
  fixture.asaas[change](charge.paymentId);
  await fixture.deliver();
  return (await read(account, charge.id)).status;
}

async function listEvents(type: string): Promise<object[]> {
  const rows = await fixture.platform.database.query<{ data: object }>(
    'select data from recorded_events where account_id = $1 and type = $2',
    [account.id, type],
  );
  return rows.map(({ data }) => data);
}

describe('charge status', () => {
  test('CHARGE-14 goes from PENDING to CONFIRMED to RECEIVED', async () => {
    await begin({ paymentMethod: 'CREDIT_CARD' });
    expect(await changePayment('confirm')).toBe('CONFIRMED');
    expect(await read(account, charge.id)).toMatchObject({ paidAt: expect.any(String), receivedAt: null });
    expect(await changePayment('pay')).toBe('RECEIVED');
    expect(await read(account, charge.id)).toMatchObject({
      paidAt: expect.any(String),
      receivedAt: expect.any(String),
      refundedAt: null,
    });
  });

  test('CHARGE-14 goes from PENDING straight to RECEIVED', async () => {
    await begin();
    expect(await changePayment('pay')).toBe('RECEIVED');
  });

  test.each(['confirm', 'pay'] as const)(
    'CHARGE-14 CHARGE-15 leaves OVERDUE by a payment (%s)',
    async (paid) => {
      await begin({ paymentMethod: 'UNDEFINED' });
      expect(await changePayment('overdue')).toBe('OVERDUE');
      expect(await readAvailable(account)).toBe(0);
      expect(await changePayment(paid)).toBe(paid === 'pay' ? 'RECEIVED' : 'CONFIRMED');
      expect(await readAvailable(account)).toBe(50);
    },
  );

  test.each([
    ['CONFIRMED', 'confirm', 'REFUNDED', 'refund'],
    ['CONFIRMED', 'confirm', 'CHARGEBACK', 'chargeback'],
    ['RECEIVED', 'pay', 'REFUNDED', 'refund'],
    ['RECEIVED', 'pay', 'CHARGEBACK', 'chargeback'],
  ] as const)('CHARGE-14 goes from %s by %s to %s', async (paid, pay, back, giveBack) => {
    await begin({ paymentMethod: 'CREDIT_CARD' });
    expect(await changePayment(pay)).toBe(paid);
    expect(await changePayment(giveBack)).toBe(back);
    expect(await read(account, charge.id)).toMatchObject({ refundedAt: expect.any(String) });
    expect(await readAvailable(account)).toBe(0);
  });

  test('CHARGE-14 leaves CANCELED only by a payment', async () => {
    await begin();
    await cancel(account, charge.id);
    expect(await changePayment('overdue')).toBe('CANCELED');
    expect(await changePayment('pay')).toBe('RECEIVED');
  });

  test('CHARGE-14 becomes REFUNDED through RECEIVED, even if both notifications were missed', async () => {
    await begin();
    const { asaas, platform } = fixture;
    asaas.pay(charge.paymentId);
    asaas.refund(charge.paymentId);
    platform.clock.advance(600);
    await runDueChecks(platform);
    const after = await read(account, charge.id);
    expect(after).toMatchObject({
      status: 'REFUNDED',
      paidAt: expect.any(String),
      receivedAt: expect.any(String),
    });
    expect(await readStatement(account)).toEqual([
      { type: 'charge', amount: 50 },
      { type: 'refund', amount: -50 },
    ]);
    await fixture.deliver();
    expect(await read(account, charge.id)).toMatchObject({ status: 'REFUNDED' });
  });
});

describe('credit', () => {
  test('CHARGE-19 is posted once, at CONFIRMED if that comes first', async () => {
    await begin({ paymentMethod: 'CREDIT_CARD' });
    await changePayment('confirm');
    expect(await readAvailable(account)).toBe(50);
    await changePayment('pay');
    expect(await readAvailable(account)).toBe(50);
    expect(await readStatement(account)).toEqual([{ type: 'charge', amount: 50 }]);
    expect(await listEvents('charge-paid')).toEqual([
      { id: charge.id, amount: 50, paymentMethod: 'CREDIT_CARD' },
    ]);
  });

  test('CHARGE-19 is posted once at RECEIVED if nothing came before, however often notified', async () => {
    await begin();
    fixture.asaas.pay(charge.paymentId);
    const [event] = fixture.asaas.events().filter(({ payment }) => payment.id === charge.paymentId);
    for (let times = 0; times < 5; times += 1)
      expect(await sendGatewayEvent(fixture.platform, event ?? {})).toBe(200);
    await fixture.deliver({ duplicate: 1 });
    await runDueChecks(fixture.platform);
    expect(await readAvailable(account)).toBe(50);
    expect(await readStatement(account)).toEqual([{ type: 'charge', amount: 50 }]);
    expect(await listEvents('charge-paid')).toHaveLength(1);
  });

  test('CHARGE-19 is posted by the next check if the notification was lost', async () => {
    await begin();
    fixture.asaas.pay(charge.paymentId);
    await fixture.deliver({ drop: 1 });
    expect(await readAvailable(account)).toBe(0);
    fixture.platform.clock.advance(119);
    await runDueChecks(fixture.platform);
    expect(await readAvailable(account)).toBe(0);
    fixture.platform.clock.advance(2);
    await runDueChecks(fixture.platform);
    expect(await readAvailable(account)).toBe(50);
    expect((await read(account, charge.id)).status).toBe('RECEIVED');
  });

  test('CHARGE-20 is posted for a payment after the charge was cancelled', async () => {
    await begin();
    await cancel(account, charge.id);
    const next = await post(fixture.platform, account, { amount: 20 });
    expect(next.status).toBe(200);
    expect(await changePayment('pay')).toBe('RECEIVED');
    expect(await readAvailable(account)).toBe(50);
    expect((await read(account, next.body.id)).status).toBe('PENDING');
  });

  test('is reversed in parts as the gateway refunds in parts, the fee last', async () => {
    await begin();
    await changePayment('pay');
    const back = async (reais: number) => {
      fixture.asaas.refund(charge.paymentId, reais);
      await fixture.deliver({ duplicate: 1 });
      return [(await read(account, charge.id)).status, await readAvailable(account)];
    };
    expect(await back(20)).toEqual(['RECEIVED', 30]);
    expect(await back(30)).toEqual(['RECEIVED', 0]);
    expect(await back(2)).toEqual(['REFUNDED', 0]);
    const rows = await fixture.platform.database.query<{ revenue: string; gateway: string }>(
      `select sum(revenue_micros) as revenue, sum(gateway_micros) as gateway
         from ledger_transactions where account_id = $1`,
      [account.id],
    );
    expect(rows).toEqual([{ revenue: '0', gateway: '0' }]);
  });

  test('is restored by a chargeback that was won', async () => {
    await begin({ paymentMethod: 'CREDIT_CARD' });
    await changePayment('confirm');
    expect(await changePayment('chargeback')).toBe('CHARGEBACK');
    expect(await readAvailable(account)).toBe(0);
    expect(await changePayment('reverseChargeback')).toBe('RECEIVED');
    expect(await readAvailable(account)).toBe(50);
    expect(await read(account, charge.id)).toMatchObject({ refundedAt: null });
  });

  test('is reversed below zero if it was spent', async () => {
    await begin();
    await changePayment('pay');
    await giveCredit(fixture.platform, account.id, -30);
    expect(await changePayment('refund')).toBe('REFUNDED');
    expect(await readAvailable(account)).toBe(-30);
  });
});

describe('CHARGE-15 unpaid charge', () => {
  test.each(['sandbox', 'asaas'])('CHARGE-15 of %s becomes OVERDUE after its due date', async (gateway) => {
    const { platform, asaas } = fixture;
    await begin();
    if (gateway === 'sandbox') {
      await cancel(account, charge.id);
      await platform.database.query(`update accounts set mode = 'test' where id = $1`, [account.id]);
      charge = await create(platform, account);
    }
    const { dueDate } = await read(account, charge.id);
    const secondsToMidnight = (Date.parse(dueDate) + 86_400_000 - platform.clock.now().getTime()) / 1000;
    platform.clock.advance(secondsToMidnight - 60);
    await runDueChecks(platform);
    expect((await read(account, charge.id)).status).toBe('PENDING');
    if (gateway === 'asaas') asaas.overdue(charge.paymentId);
    await fixture.deliver({ drop: 1 });
    platform.clock.advance(61);
    await runDueChecks(platform);
    expect((await read(account, charge.id)).status).toBe('OVERDUE');
  });
});
