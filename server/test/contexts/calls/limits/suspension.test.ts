import { afterAll, beforeAll, expect, test } from 'vitest';
import { suspendCalling } from '../../../../src/contexts/calls/index.ts';
import { inAccount } from '../../../../src/platform/db/database.ts';
import {
  type CallingAccount,
  createCallingAccount,
  destinations,
  startCallLimitPlatform,
} from '../../../harness/fixtures/call-limits.ts';
import { runOperator } from '../../../harness/operator-cli.ts';
import type { Platform } from '../../../harness/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startCallLimitPlatform();
});
afterAll(() => platform.close());

const suspend = ({ id }: CallingAccount): Promise<void> =>
  inAccount(platform.api.base.db, id, (tx) =>
    suspendCalling(tx, { accountId: id, reason: 'A test.', at: platform.clock.now() }),
  );
const codeOf = async (answer: Promise<{ status: number; body: { error?: { errorCode: string } } }>) => {
  const { status, body } = await answer;
  return [status, body.error?.errorCode];
};

test('CALL-58 CALL-87 outbound calls of a suspended account are refused until the operator lifts it; others go on', async () => {
  const [account, other] = [await createCallingAccount(platform), await createCallingAccount(platform)];
  expect((await account.call()).status).toBe(200);
  const isShown = async () =>
    (await account.admin.client.get('/users/me/context')).body.account.callingSuspended;
  expect(await isShown()).toBe(false);
  await suspend(account);
  expect(await isShown()).toBe(true);
  platform.clock.advance(1);
  expect(await codeOf(account.call())).toEqual([403, 'CALLING_SUSPENDED']);
  const dialer = { phone: destinations.ordinary, extension: account.ramal, metadata: {} };
  expect(await codeOf(account.admin.client.post('/dialer', dialer))).toEqual([403, 'CALLING_SUSPENDED']);
  expect(await account.running()).toBe(1);
  expect((await other.call()).status).toBe(200);
  const { body } = await account.admin.client.list('/audit', undefined, { page: '1' });
  expect(JSON.stringify(body.data)).toContain('account.suspend');
  await runOperator(platform, ['account', 'review', String(account.id), '--lift']);
  platform.clock.advance(1);
  expect((await account.call()).status).toBe(200);
  expect((await account.admin.client.post('/dialer', dialer)).status).toBe(200);
});

test('CALL-58 the refusal comes after 422, 404 and numbers that no account may call, and before all others', async () => {
  const account = await createCallingAccount(platform, 0);
  await suspend(account);
  expect(await codeOf(account.call('12'))).toEqual([422, 'VALIDATION_ERROR']);
  expect(await codeOf(account.call(destinations.ordinary, { extension: '9999' }))).toEqual([
    404,
    'NOT_FOUND',
  ]);
  expect(await codeOf(account.call('190'))).toEqual([403, 'DESTINATION_NOT_ALLOWED']);
  expect(await codeOf(account.call('+351912345678'))).toEqual([403, 'CALLING_SUSPENDED']);
  expect(await codeOf(account.call())).toEqual([403, 'CALLING_SUSPENDED']);
});

test('CALL-58 a suspended account cannot request verification calls', async () => {
  const account = await createCallingAccount(platform);
  await suspend(account);
  const requested = account.admin.client.post('/callerIds', { number: '5511912345678' });
  expect(await codeOf(requested)).toEqual([403, 'CALLING_SUSPENDED']);
});
