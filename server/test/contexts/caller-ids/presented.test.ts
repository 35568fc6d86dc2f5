import { afterAll, beforeAll, expect, test } from 'vitest';
import { assignCallerId, unassignCallerId } from '../../../src/contexts/caller-ids/index.ts';
import {
  type CallingAccount,
  createCallingAccount,
  startCallLimitPlatform,
} from '../../harness/fixtures/call-limits.ts';
import { freshNumber } from '../../harness/fixtures/caller-ids.ts';
import type { Platform } from '../../harness/platform.ts';

let platform: Platform;
let account: CallingAccount;
beforeAll(async () => {
  platform = await startCallLimitPlatform();
  account = await createCallingAccount(platform);
});
afterAll(() => platform.close());

/** Returns the number that the call presents, or null for the trunk's number. */
async function presentedNumber(caller: string | undefined): Promise<unknown> {
  platform.clock.advance(1);
  await account.endCalls();
  const { status, body } = await account.call(undefined, caller === undefined ? {} : { caller });
  if (status !== 200) return `${status} ${body.error.errorCode}`;
  const [row] = await platform.database.query<{ shown: string | null }>(
    `select order_data ->> 'callerId' as shown from live_calls where call_id = $1`,
    [body.id],
  );
  return row?.shown;
}

const assign = (number: string, owner: { id: number } = account) =>
  assignCallerId(platform.api.base, owner.id, number);
const unassign = (number: string) => unassignCallerId(platform.api.base, account.id, number);

test('CALL-21 presents the extension’s bina if the account owns it, else the trunk’s number', async () => {
  const bina = freshNumber();
  const { body } = await account.admin.client.list('/extensions', { where: { ramal: account.ramal } });
  const changed = await account.admin.client.patch('/extensions', { id: body[0].id, bina });
  expect(changed.status).toBe(200);
  for (const caller of [account.ramal, undefined]) expect(await presentedNumber(caller)).toBeNull();
  await assign(bina);
  for (const caller of [account.ramal, undefined]) expect(await presentedNumber(caller)).toBe(bina);
  await setBina(`+55 (11) ${bina.slice(4)}`);
  expect(await presentedNumber(account.ramal)).toBe(bina);
  for (const other of ['Vendas', '']) {
    await setBina(other);
    expect(await presentedNumber(account.ramal), other).toBeNull();
  }
  await setBina(bina);
  await unassign(bina);
  expect(await presentedNumber(account.ramal)).toBeNull();
});

/** Stores a `bina` that earlier releases accepted as it was typed. */
const setBina = (bina: string) =>
  platform.database.query('update extensions set bina = $2 where account_id = $1 and ramal = $3', [
    account.id,
    bina,
    account.ramal,
  ]);

test('CALL-22 presents another caller if the account owns it, else rejects the call', async () => {
  const number = freshNumber();
  expect(await presentedNumber(number)).toBe('403 CALLER_ID_NOT_ALLOWED');
  const other = await createCallingAccount(platform);
  await assign(number, other);
  expect(await presentedNumber(number)).toBe('403 CALLER_ID_NOT_ALLOWED');
  await assign(number);
  expect(await presentedNumber(number)).toBe(number);
  expect(await presentedNumber(`+55 (11) ${number.slice(4)}`)).toBe(number);
  for (const caller of [`(11) ${number.slice(4)}`, `0${number.slice(2)}`])
    expect(await presentedNumber(caller), caller).toBe(number);
  for (const caller of ['9002', '01001', 'anonymous', `${number};x`])
    expect(await presentedNumber(caller), caller).toBe('403 CALLER_ID_NOT_ALLOWED');
  await unassign(number);
  expect(await presentedNumber(number)).toBe('403 CALLER_ID_NOT_ALLOWED');
});

test('CALL-22 a number pending verification is not presented', async () => {
  const number = freshNumber();
  const asked = await account.admin.client.post('/callerIds', { number });
  expect(asked.body.status).toBe('pending');
  expect(await presentedNumber(number)).toBe('403 CALLER_ID_NOT_ALLOWED');
});

test('CALL-37 the code call is authorised, counted and charged, and rings no extension', async () => {
  await account.endCalls();
  platform.clock.advance(1);
  const held = async () => (await account.admin.client.get('/accounts/balance')).body.held;
  const before = await held();
  const number = freshNumber();
  expect((await account.admin.client.post('/callerIds', { number })).status).toBe(200);
  expect((await held()) - before).toBe(1);
  const [call] = await platform.database.query<{ kind: string; to: string }>(
    `select l.kind, c."to" from live_calls l join calls c on c.id = l.call_id where l.account_id = $1`,
    [account.id],
  );
  expect(call).toEqual({ kind: 'code', to: number });

  const abroad = await account.admin.client.post('/callerIds', { number: '351912345678' });
  expect(abroad.body.error.errorCode).toBe('DESTINATION_NOT_ALLOWED');
  const poor = await createCallingAccount(platform, 0);
  const unpaid = await poor.admin.client.post('/callerIds', { number: freshNumber() });
  expect(unpaid.body.error.errorCode).toBe('INSUFFICIENT_CREDIT');
});
