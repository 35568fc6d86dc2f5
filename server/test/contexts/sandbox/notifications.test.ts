import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportEvents } from '../../../src/contexts/sandbox/report-payment.ts';
import { sandboxJobs } from '../../../src/contexts/sandbox/sandbox.jobs.ts';
import { startWorking } from '../../../src/platform/jobs.ts';
import { queuedEvents, type SandboxFixture, startSandboxFixture } from '../../harness/fixtures/sandbox.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let fixture: SandboxFixture;
let receiver: Receiver;
let working: { stop(graceMs: number): Promise<void> };

beforeAll(async () => {
  fixture = await startSandboxFixture();
  receiver = await startReceiver();
  const deps = { ...fixture.deps, apiUrl: receiver.url };
  working = await startWorking(deps.db, sandboxJobs(deps), {}, () => undefined);
});
afterAll(async () => {
  await working.stop(2_000);
  await receiver.stop();
  await fixture.stop();
});

test('CHARGE-24 a Pix payment is notified once, signed, as RECEIVED', async () => {
  const { id } = await fixture.make();
  await fixture.change(id, 'pay');
  await receiver.waitFor(id, ['PAYMENT_RECEIVED']);
  const [report] = receiver.findReports(id);
  expect(report?.path).toBe('/api/v1/gateways/sandbox/events');
  const read = fixture.gateway.readNotification(report?.headers ?? {}, report?.body);
  expect(read).toEqual({ eventId: report?.body.id, paymentId: id });
});

test('CHARGE-24 a card payment is notified as CONFIRMED, and then RECEIVED once accepted', async () => {
  const { id } = await fixture.make({ method: 'CREDIT_CARD' });
  expect(await fixture.change(id, 'pay')).toMatchObject({ status: 'CONFIRMED', receivedAt: null });
  await receiver.waitFor(id, ['PAYMENT_CONFIRMED', 'PAYMENT_RECEIVED']);
  expect(await fixture.gateway.readPayment(id)).toMatchObject({ status: 'RECEIVED' });
});

test('a notification is repeated as the same event until it is accepted', async () => {
  const { id } = await fixture.make();
  receiver.answerNext(id, [503, 200]);
  await fixture.change(id, 'pay');
  await receiver.waitFor(id, ['PAYMENT_RECEIVED', 'PAYMENT_RECEIVED']);
  expect(new Set(receiver.findReports(id).map(({ body }) => body.id)).size).toBe(1);
});

test.each([201, 204, 302, 404, 500])('a response of %i is retried', async (status) => {
  const event = { id: `evt_${status}`, event: 'PAYMENT_RECEIVED', payment: { id: `sbx_${status}` } };
  receiver.answerNext(event.payment.id, [status]);
  const deps = { ...fixture.deps, apiUrl: receiver.url };
  await expect(reportEvents(deps, [event], AbortSignal.timeout(120_000))).rejects.toThrow(String(status));
  expect(receiver.findReports(event.payment.id)).toHaveLength(1);
});

test('events are sent as often as configured, newest first when out of order', async () => {
  const { id } = await fixture.make({ method: 'DEBIT_CARD' });
  await fixture.change(id, 'pay', { reporting: { notifications: 2, shuffled: true } });
  await receiver.waitFor(id, [
    ...['PAYMENT_RECEIVED', 'PAYMENT_RECEIVED'],
    ...['PAYMENT_CONFIRMED', 'PAYMENT_CONFIRMED'],
  ]);
  expect(new Set(receiver.findReports(id).map(({ body }) => body.id)).size).toBe(2);
});

test('a gateway that sends no notifications still settles card payments', async () => {
  const { id } = await fixture.make({ method: 'CREDIT_CARD' });
  await fixture.change(id, 'pay', { reporting: { notifications: 0 } });
  await expect.poll(async () => (await fixture.gateway.readPayment(id))?.status).toBe('RECEIVED');
  expect(receiver.findReports(id)).toEqual([]);
});

test('a delayed notification arrives after that of a later refund', async () => {
  const { id } = await fixture.make();
  await fixture.change(id, 'pay', { reporting: { delaySeconds: 3600 } });
  await fixture.change(id, 'refund');
  await receiver.waitFor(id, ['PAYMENT_REFUNDED']);
  const waiting = await fixture.database.query<{ seconds: number }>(
    `select round(extract(epoch from start_after - created_on))::int as seconds from pgboss.job
      where name = 'sandbox.notify' and data->>'paymentId' = $1 and state = 'created'`,
    [id],
  );
  expect(waiting).toEqual([{ seconds: 3600 }]);
});

test('an impossible change has no effect and is not reported', async () => {
  const { id } = await fixture.make();
  expect(await fixture.change(id, 'refund')).toMatchObject({ status: 'PENDING' });
  expect(await fixture.change(id, 'charge back')).toMatchObject({ status: 'PENDING' });
  expect(await fixture.change(id, 'settle')).toMatchObject({ status: 'PENDING' });
  expect(await fixture.change(id, 'refuse')).toMatchObject({ status: 'PENDING' });
  expect(await queuedEvents(fixture.database, id)).toEqual([]);
  await fixture.change(id, 'pay');
  expect(await fixture.change(id, 'pay')).toMatchObject({ status: 'RECEIVED' });
  await fixture.change(id, 'refund');
  expect(await fixture.change(id, 'pay')).toMatchObject({ status: 'REFUNDED' });
  expect(await queuedEvents(fixture.database, id)).toMatchObject([
    { event: 'PAYMENT_RECEIVED' },
    { event: 'PAYMENT_REFUNDED' },
  ]);
});

test('one of many concurrent payments succeeds', async () => {
  const { id } = await fixture.make();
  await Promise.all(Array.from({ length: 8 }, () => fixture.change(id, 'pay')));
  expect(await queuedEvents(fixture.database, id)).toHaveLength(1);
});

test('many equal concurrent requests create one payment', async () => {
  const reference = crypto.randomUUID();
  const made = await Promise.all(Array.from({ length: 8 }, () => fixture.make({ reference })));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
});

test('a signature is invalid for another notification, with another key, or later', async () => {
  const { id } = await fixture.make();
  const other = await fixture.make();
  await fixture.change(id, 'pay');
  const { headers, body } = await fixture.notification(id);
  const read = (changes: object) => fixture.gateway.readNotification(headers, { ...body, ...changes });
  expect(read({})).toEqual({ eventId: body.id, paymentId: id });
  expect(() => read({ payment: { id: other.id } })).toThrow('another notification');
  expect(() => read({ id: 'evt_other' })).toThrow('another notification');
  expect(() => read({ event: 'PAYMENT_REFUNDED' })).toThrow('another notification');
  for (const nonsense of [null, undefined, [], 'x', {}]) {
    expect(() => fixture.gateway.readNotification(headers, nonsense)).toThrow('another notification');
  }
  fixture.deps.clock.advance(301);
  expect(() => read({})).toThrow('signature of the notification is invalid');
  fixture.deps.clock.advance(-301);
});

test('CHARGE-15 a payment is overdue from the midnight after its due date in Sao Paulo', async () => {
  const { id } = await fixture.make({ dueDate: '2031-05-10' });
  const statusAt = async (moment: string) => {
    const seconds = (Date.parse(moment) - fixture.deps.clock.now().getTime()) / 1000;
    fixture.deps.clock.advance(seconds);
    const status = (await fixture.gateway.readPayment(id))?.status;
    fixture.deps.clock.advance(-seconds);
    return status;
  };
  expect(await statusAt('2031-05-11T02:59:00Z')).toBe('PENDING');
  expect(await statusAt('2031-05-11T03:00:30Z')).toBe('OVERDUE');
});
