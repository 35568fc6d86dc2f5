import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EventType, type Payloads, signWebhook, verifyWebhook, WebhookError } from '../src/index.ts';
import { type Received, type Receiver, startReceiver } from './harness/receiver.ts';
import { type Service, startService } from './harness/service.ts';

/** Expected types of each payload. */
const call = {
  version: true,
  eventType: true,
  accountSequence: true,
  domain: true,
  id: true,
  direction: true,
  caller: true,
  called: true,
  timezone: true,
  startedAt: true,
  startedAtIso: true,
  answeredAt: true,
  answeredAtIso: true,
  endedBy: true,
  metadata: true,
} as const;
const end = {
  endedAt: true,
  endedAtIso: true,
  duration: true,
  hangupCause: true,
  hangupCauseCode: true,
  recordUrl: true,
} as const;
const happened = {
  version: true,
  eventType: true,
  accountSequence: true,
  domain: true,
  id: true,
  occurredAt: true,
  occurredAtIso: true,
} as const;
const shapes: { [Type in EventType]: Record<keyof Payloads[Type], true> } = {
  'channel-create': { ...call, sequence: true },
  'channel-ringing': { ...call, sequence: true },
  'channel-answer': { ...call, sequence: true },
  'channel-hangup': { ...call, ...end, sequence: true },
  'call-priced': {
    ...call,
    ...end,
    sequence: true,
    billedDuration: true,
    minutePrice: true,
    callPrice: true,
  },
  'recording-ready': { ...call, ...end, sequence: true },
  'call-updated': { ...call, ...end, disposition: true, note: true, tags: true },
  'channel-hold': { ...call, sequence: true, party: true },
  'channel-unhold': { ...call, sequence: true, party: true },
  'channel-transfer': { ...call, sequence: true, kind: true, to: true, result: true, hangupCause: true },
  'channel-conference': { ...call, sequence: true, to: true, result: true, hangupCause: true },
  'charge-paid': { ...happened, amount: true, paymentMethod: true },
  'balance-low': { ...happened, available: true, book: true },
};

let service: Service;
let integrationId: number;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  const { url: webhookUrl } = receiver;
  ({ id: integrationId } = await service.disca.integrations.save({
    gateway: 'sdk',
    webhook: true,
    metadata: { webhookUrl, webhookTypes: Object.keys(shapes) },
  }));
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});

/** Receives a webhook from the service. */
async function receive(type: EventType = 'channel-hangup'): Promise<Received> {
  const { outcome } = await service.disca.integrations.test(integrationId, type);
  expect(outcome).toBe('delivered');
  const last = receiver.received.at(-1);
  if (!last) throw new Error('Nothing was received.');
  return last;
}

const codeOf = (verified: Promise<unknown>) =>
  verified.then(
    () => 'verified',
    (error: unknown) => (error instanceof WebhookError ? error.code : error),
  );

const secretOf = async () => (await service.disca.integrations.secret(integrationId)).secret;

test('every event type is verified, and its payload matches its type', async () => {
  const secret = await secretOf();
  for (const [type, shape] of Object.entries(shapes)) {
    const { headers, body } = await receive(type as EventType);
    const { id, sentAt, payload } = await verifyWebhook(body, headers, secret);
    expect(id).toBe(headers['webhook-id']);
    expect(Math.abs(Date.now() - sentAt.getTime())).toBeLessThan(60_000);
    const names = Object.keys(payload).filter((name) => name !== 'test');
    expect([type, names.sort()]).toEqual([type, Object.keys(shape).sort()]);
    if (payload.eventType === 'call-priced') expect(payload.callPrice).toBeTypeOf('number');
  }
});

test('rejects a changed body, id, time or signature, another secret and missing headers', async () => {
  const secret = await secretOf();
  const { headers, body } = await receive();
  const refused = (changes: IncomingHttpHeaders, text = body) =>
    codeOf(verifyWebhook(text, { ...headers, ...changes }, secret));
  expect(await refused({}, body.replace('5511987654321', '5511987654322'))).toBe('WRONG_SIGNATURE');
  expect(await refused({}, `${body} `)).toBe('WRONG_SIGNATURE');
  expect(await refused({ 'webhook-id': 'msg_other' })).toBe('WRONG_SIGNATURE');
  const later = String(Number(headers['webhook-timestamp']) + 1);
  expect(await refused({ 'webhook-timestamp': later })).toBe('WRONG_SIGNATURE');
  expect(await refused({ 'webhook-signature': 'v1,AAAA' })).toBe('WRONG_SIGNATURE');
  expect(await refused({ 'webhook-signature': 'v1,not base64' })).toBe('WRONG_SIGNATURE');
  const otherVersion = String(headers['webhook-signature']).replace('v1', 'v2');
  expect(await refused({ 'webhook-signature': otherVersion })).toBe('WRONG_SIGNATURE');
  expect(await refused({ 'webhook-timestamp': 'now' })).toBe('MALFORMED_HEADERS');
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    expect(await refused({ [name]: undefined })).toBe('MALFORMED_HEADERS');
  const other = `whsec_${randomBytes(24).toString('base64')}`;
  expect(await codeOf(verifyWebhook(body, headers, other))).toBe('WRONG_SIGNATURE');
  for (const none of ['', 'whsec_', 'whsec_%', randomBytes(24).toString('base64')])
    expect(await codeOf(verifyWebhook(body, headers, none))).toBe('MALFORMED_SECRET');
});

test('rejects a signed webhook that is too old or too far in the future', async () => {
  const secret = await secretOf();
  const { headers, body } = await receive();
  const sentAt = Number(headers['webhook-timestamp']);
  const at = (seconds: number) => ({ now: new Date((sentAt + seconds) * 1000) });
  expect(await codeOf(verifyWebhook(body, headers, secret, at(299)))).toBe('verified');
  expect(await codeOf(verifyWebhook(body, headers, secret, at(301)))).toBe('OUTSIDE_TOLERANCE');
  expect(await codeOf(verifyWebhook(body, headers, secret, at(-301)))).toBe('OUTSIDE_TOLERANCE');
  const patient = { ...at(3_000), toleranceSeconds: 3_600 };
  expect(await codeOf(verifyWebhook(body, headers, secret, patient))).toBe('verified');
});

test('a NaN tolerance rejects everything', async () => {
  const secret = await secretOf();
  const { headers, body } = await receive();
  const unset = { toleranceSeconds: Number(undefined) };
  expect(await codeOf(verifyWebhook(body, headers, secret, unset))).toBe('OUTSIDE_TOLERANCE');
});

test('during a rotation the old secret, the new one and both together verify', async () => {
  const before = await secretOf();
  await service.disca.integrations.rotateSecret(integrationId);
  const after = await secretOf();
  expect(after).not.toBe(before);
  const { headers, body } = await receive();
  for (const secrets of [before, after, [after, before], ['whsec_AAAA', before]])
    expect(await codeOf(verifyWebhook(body, headers, secrets))).toBe('verified');
});

test('accepts bytes and any kind of headers; reports a signed body that is not JSON', async () => {
  const secret = await secretOf();
  const { headers, body } = await receive();
  const bytes = new TextEncoder().encode(body);
  const asHeaders = new Headers(headers);
  expect(await codeOf(verifyWebhook(bytes, asHeaders, secret))).toBe('verified');
  const shouted = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  expect(await codeOf(verifyWebhook(body, shouted, secret))).toBe('verified');
  const text = 'ação, not JSON';
  const signed = await signWebhook(text, secret, { id: 'msg_1' });
  expect(await codeOf(verifyWebhook(text, signed, secret))).toBe('MALFORMED_BODY');
});
