import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, Client } from '../../../harness/client.ts';
import { addDeck, giveCredit } from '../../../harness/fixtures/billing.ts';
import { type CallingAccount, createCallingAccount } from '../../../harness/fixtures/call-limits.ts';
import { markRegistered, nextBody } from '../../../harness/fixtures/extensions.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';
import { waitForRedis } from '../../../harness/wait-for-redis.ts';

let platform: Platform;
let account: CallingAccount;
beforeAll(async () => {
  platform = await startPlatform();
  waitForRedis(platform);
  await addDeck(platform, [
    { prefix: '55', price: 0.6 },
    { prefix: '5521', price: 2 },
  ]);
  account = await createCallingAccount(platform);
});
afterAll(() => platform.close());

const summarize = ({ status, body }: Answer): string =>
  status === 200 ? '200' : `${status} ${body.error.errorCode}`;

const ordinary = '5511987654321';
const emergency = '190';
const invalid = '123456';
const expensive = '5521987654321';
const unknown = '99999999';

const place = (client: Client, body: Record<string, unknown>, key?: string) =>
  client.post(
    '/calls',
    { called: ordinary, extension: account.ramal, ...body },
    key === undefined ? {} : { headers: { 'idempotency-key': key } },
  );

const json = { 'content-type': 'application/json' };
const unreadable = (client: Client) => client.post('/calls', undefined, { raw: '{', headers: json });
const tooLarge = (client: Client) =>
  client.post('/calls', undefined, { raw: `"${'x'.repeat(70_000)}"`, headers: json });
const wrongType = (client: Client) =>
  client.post('/calls', undefined, { raw: 'a=b', headers: { 'content-type': 'text/csv' } });

/** Adds a user to the account and returns the user's client. */
const newUser = async (role: 'ADMIN' | 'USER' = 'ADMIN') => (await account.addUser(role)).client;

/** Adds an extension to the account, registered or not. */
async function addExtension(of: CallingAccount, isRegistered: boolean): Promise<string> {
  const { body } = await of.admin.client.post('/extensions/next-available', nextBody());
  if (isRegistered) await markRegistered(platform, body.id);
  return body.ramal;
}

test('CALL-33 the address limit is checked before the body, and the body before the token', async () => {
  const anonymous = platform.client();
  expect(summarize(await unreadable(anonymous))).toBe('400 MALFORMED_REQUEST');
  expect(summarize(await tooLarge(anonymous))).toBe('413 PAYLOAD_TOO_LARGE');
  expect(summarize(await wrongType(anonymous))).toBe('415 UNSUPPORTED_MEDIA_TYPE');
  for (let attempt = 3; attempt < 60; attempt += 1) expect((await place(anonymous, {})).status).toBe(401);
  for (const ask of [unreadable, tooLarge, wrongType])
    expect(summarize(await ask(anonymous))).toBe('429 RATE_LIMITED');
});

test('CALL-33 the token is checked before the limit of its user', async () => {
  const user = await newUser();
  for (let attempt = 0; attempt < 15; attempt += 1) await place(user, { extension: unknown });
  expect(summarize(await place(user, { extension: unknown }))).toBe('429 RATE_LIMITED');
  expect(summarize(await place(user.as('no-such-token'), { extension: unknown }))).toBe('401 INVALID_TOKEN');
});

test('CALL-33 the user limit is checked before the role, and the role before the fields', async () => {
  const user = await newUser('USER');
  const ask = (body: object = {}) => user.post('/callerIds', body);
  for (let attempt = 0; attempt < 60; attempt += 1) expect(summarize(await ask())).toBe('403 ACCESS_DENIED');
  expect(summarize(await ask())).toBe('429 RATE_LIMITED');
  expect(summarize(await ask({ number: ordinary }))).toBe('429 RATE_LIMITED');
});

test('CALL-33 the extension limit is checked before the fields', async () => {
  const user = await newUser();
  for (let attempt = 0; attempt < 15; attempt += 1) {
    expect(summarize(await place(user, { called: invalid, extension: unknown }))).toBe(
      '422 VALIDATION_ERROR',
    );
  }
  expect(summarize(await place(user, { called: invalid, extension: unknown }))).toBe('429 RATE_LIMITED');
});

test('CALL-33 the fields are checked before the key, and the key before the extension', async () => {
  const [user, key] = [await newUser(), randomUUID()];
  const extension = await addExtension(account, true);
  const first = await place(user, { extension }, key);
  expect(first.status).toBe(200);
  expect(summarize(await place(user, { extension, called: invalid }, key))).toBe('422 VALIDATION_ERROR');
  expect(summarize(await place(user, { extension, metadata: 5 }, key))).toBe('422 VALIDATION_ERROR');
  expect(summarize(await place(user, { extension: unknown }, key))).toBe('422 IDEMPOTENCY_KEY_REUSED');
  const { body } = await user.list('/extensions', { where: { ramal: extension } });
  expect((await user.delete(`/extensions/${body[0].id}`)).status).toBe(204);
  expect((await place(user, { extension }, key)).body.id).toBe(first.body.id);
  expect(summarize(await place(user, { extension }))).toBe('404 NOT_FOUND');
});

test('CALL-46 an ambiguous caller is invalid, together with the other fields', async () => {
  const user = await newUser();
  const refused = await place(user, { called: '5511', caller: '51 98765-4321' });
  expect(summarize(refused)).toBe('422 VALIDATION_ERROR');
  expect(refused.body.error.details).toEqual([
    { path: 'called', code: 'invalid_number', message: expect.any(String) },
    {
      path: 'caller',
      code: 'ambiguous_number',
      message: expect.stringContaining('+51987654321 and +5551987654321'),
    },
  ]);
});

test('CALL-33 the extension is checked before the destination', async () => {
  const user = await newUser();
  expect(summarize(await place(user, { extension: unknown, called: emergency }))).toBe('404 NOT_FOUND');
  expect(summarize(await place(user, { extension: unknown, caller: '5511911112222' }))).toBe('404 NOT_FOUND');
  const colleague = await newUser('USER');
  expect(summarize(await place(colleague, { extension: unknown }))).toBe('404 NOT_FOUND');
  expect(summarize(await place(colleague, { called: emergency }))).toBe('403 ACCESS_DENIED');
});

test('CALL-33 checks destination, then credit, then registration, then capacity', async () => {
  const poor = await createCallingAccount(platform, 0);
  const absent = await addExtension(poor, false);
  const from = (called: string, extension: string, more: object = {}) =>
    place(poor.admin.client, { called, extension, ...more });
  await poor.cap({ callsPerSecond: 1, concurrentCalls: 0 });
  for (const extension of [absent, poor.ramal]) {
    expect(summarize(await from(emergency, extension))).toBe('403 DESTINATION_NOT_ALLOWED');
    expect(summarize(await from(ordinary, extension, { caller: '5511911112222' }))).toBe(
      '403 CALLER_ID_NOT_ALLOWED',
    );
    expect(summarize(await from(expensive, extension))).toBe('403 SPEND_LIMIT_REACHED');
    expect(summarize(await from(ordinary, extension))).toBe('402 INSUFFICIENT_CREDIT');
  }
  await giveCredit(platform, poor.id, 1);
  expect(summarize(await from(ordinary, absent))).toBe('424 EXTENSION_NOT_REGISTERED');
  expect(summarize(await from(ordinary, poor.ramal))).toBe('429 CAPACITY_EXCEEDED');
  await poor.cap({ callsPerSecond: null, concurrentCalls: null });
  expect(summarize(await from(ordinary, poor.ramal))).toBe('200');
});
