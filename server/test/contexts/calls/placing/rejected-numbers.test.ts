import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CallingAccount,
  createCallingAccount,
  startCallLimitPlatform,
} from '../../../harness/fixtures/call-limits.ts';
import type { Platform } from '../../../harness/platform.ts';
import {
  ambiguous,
  emergencyAndShort,
  hostile,
  invalid,
  ordinary,
  premium,
  satellite,
  service,
} from './corpus.ts';

let platform: Platform;
let account: CallingAccount;
beforeAll(async () => {
  platform = await startCallLimitPlatform();
  account = await createCallingAccount(platform);
});
afterAll(() => platform.close());

/** Returns the rows whose response differs from `expected`, with that response. */
async function findUnexpected(rows: string[], expected: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const called of rows) {
    const { status, body } = await account.call(called);
    const actual = `${status} ${body.error?.errorCode}`;
    if (actual !== expected) wrong.push(`${JSON.stringify(called.slice(0, 40))}: ${actual}`);
  }
  return wrong;
}

test('CALL-19 CALL-24 CALL-38 rejects the corpus: 403 if not allowed, 422 if invalid, no call stored', async () => {
  const notAllowed = [...emergencyAndShort, ...service, ...premium, ...satellite, '351912345678'];
  expect(await findUnexpected(notAllowed, '403 DESTINATION_NOT_ALLOWED')).toEqual([]);
  expect(await findUnexpected([...invalid, ...ambiguous, ...hostile], '422 VALIDATION_ERROR')).toEqual([]);
  expect(await account.running()).toBe(0);
  expect(await platform.database.query('select from calls')).toEqual([]);
  expect((await account.admin.client.get('/accounts/balance')).body.held).toBe(0);
});

test('CALL-23 CALL-46 a call is listed with digits only, however its number was written', async () => {
  await account.cap({ pricePerMinuteMicros: 2_000_000 });
  for (const [called, digits] of ordinary) {
    platform.clock.advance(1);
    const { status, body } = await account.call(called);
    expect(status, called).toBe(200);
    const listed = await account.admin.client.list('/calls', { where: { id: body.id } }, { page: '1' });
    expect(listed.body.data[0].to, called).toBe(digits);
    await account.endCalls();
  }
});
