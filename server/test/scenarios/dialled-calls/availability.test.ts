import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMessages } from '../../../../sdk/src/server-sent.ts';
import {
  assignNumber,
  finalStatus,
  freshNumber,
  listedCalls,
  whenListed,
} from '../../harness/fixtures/dialled-calls.ts';
import type { Person, TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { liftCaps, numberEnding } from '../../harness/voice/lines.ts';
import { startVoicePlatform, type VoicePlatform, whenCall } from '../../harness/voice/voice-platform.ts';

let platform: VoicePlatform;
let account: TestAccount;
beforeAll(async () => {
  platform = await startVoicePlatform({ settings: { EVENT_STREAM_SECONDS: '3600' } });
  account = await platform.addAccount();
  await liftCaps(platform, account);
});
afterAll(() => platform?.close());

async function set({ client }: Person, status: string, reason?: string): Promise<void> {
  const body = { status, ...(reason && { reason }) };
  const answer = await client.request('PUT', '/users/me/availability', { body });
  expect(answer.status, answer.text).toBe(200);
}

const callIn = (to: string) => {
  const { simulator, node } = platform.engines;
  return simulator.callFromCarrier({ to, from: '5521988887777', node: node.sipAddress });
};

const refused = {
  away: { status: 480, cause: 'SUBSCRIBER_ABSENT' },
  do_not_disturb: { status: 486, cause: 'INCOMING_CALL_BARRED' },
} as const;

test('PRESENCE-03 PRESENCE-04 calls from outside and inside do not ring an absent person', async () => {
  const owner = await account.addUser();
  const number = freshNumber();
  await assignNumber(platform, account, number);
  const callee = await platform.addLine(account, { owner, extension: { bina: number, gravar_audio: 1 } });
  const [caller, unowned] = [await platform.addLine(account), await platform.addLine(account)];
  for (const [status, expected] of Object.entries(refused)) {
    await set(owner, status);
    expect(await finalStatus(await callIn(number))).toBe(expected.status);
    expect(await finalStatus(await caller.phone.dial(callee.ramal))).toBe(expected.status);
    const [internal, inbound] = await listedCalls(account);
    for (const [call, type] of [
      [internal, 'internal'],
      [inbound, 'inbound'],
    ] as const) {
      expect(call?.call_type).toBe(type);
      expect(await whenCall(account, String(call?.id), 'ended')).toMatchObject({
        hangup_cause: expected.cause,
        ended_by: 'system',
        answered_at: null,
        duration: 0,
        call_price: 0,
        record_url: null,
      });
    }
  }
  expect(callee.phone.calls()).toEqual([]);
  const counters = 'select sum(running_calls)::integer as running from ledger_balances where account_id = $1';
  expect(await platform.database.query(counters, [account.id])).toEqual([{ running: 0 }]);

  // Calls that the person makes are placed, and an extension without an owner rings.
  const id = await callee.call(numberEnding('00'), {}, owner.client);
  await whenCall(account, id, 'answered');
  await account.admin.client.post(`/calls/${id}/hangup`, {});
  await whenCall(account, id, 'ended');
  const dialled = await callee.phone.dial(unowned.ramal);
  await dialled.answered();
  const presence = async () => (await owner.client.get('/availability')).body.data[0];
  await expect
    .poll(presence, { timeout: 20_000 })
    .toMatchObject({ state: 'in_call', status: 'do_not_disturb', calls: [{ number: unowned.ramal }] });
  await dialled.hangUp();

  await set(owner, 'available');
  const rung = callee.phone.calls().length;
  const answered = await callIn(number);
  await answered.answered();
  expect(callee.phone.calls().length).toBe(rung + 1);
  await expect
    .poll(presence, { timeout: 20_000 })
    .toMatchObject({ calls: [{ direction: 'inbound', number: '5521988887777', status: 'answered' }] });
  await answered.hangUp();
});

test('PRESENCE-04 PRESENCE-05 another extension of the number rings; without one the missed call is recorded', async () => {
  const [first, second] = [await account.addUser(), await account.addUser()];
  const number = freshNumber();
  await assignNumber(platform, account, number);
  const add = (owner: Person) =>
    platform.addLine(account, { owner, extension: { bina: number }, phone: { behaviour: 'busy' } });
  const lines = [await add(first), await add(second)];
  await set(first, 'away', 'Lunch');
  expect(await finalStatus(await callIn(number))).toBe(486);
  const rung = () => lines.map(({ phone }) => phone.calls().length);
  expect(rung()).toEqual([0, 1]);
  await set(second, 'away');
  for (const { id, phone } of lines) {
    await phone.remove();
    await until(async () => {
      const { body } = await account.admin.client.get(`/extensions/${id}`);
      return !body.registered;
    }, 'the phone has unregistered');
  }
  expect(await finalStatus(await callIn(number))).toBe(480);
  expect(rung()).toEqual([0, 1]);
  const { id } = await whenListed(account, { to: number, hangup_cause: 'SUBSCRIBER_ABSENT' });
  expect(await whenCall(account, id, 'ended')).toMatchObject({ ended_by: 'system', email: first.email });
});

interface Message {
  position: string | undefined;
  type: string;
  sequence: number;
  data: Record<string, unknown>;
}

async function follow({ token }: Person) {
  const leaving = new AbortController();
  const url = `${await platform.listen()}/api/v1/events/stream`;
  const { body } = await fetch(url, { headers: { authorization: token }, signal: leaving.signal });
  const changes: Message[] = [];
  let isOpen = false;
  const read = async (): Promise<void> => {
    if (!body) return;
    for await (const { id, data } of readMessages(body, () => undefined)) {
      isOpen = true;
      const message = data === '' ? undefined : (JSON.parse(data) as Omit<Message, 'position'>);
      if (message?.type === 'availability-changed') changes.push({ position: id, ...message });
    }
  };
  read().catch(() => undefined);
  await until(() => isOpen, 'the stream is open');
  return { changes, leave: () => leaving.abort() };
}

test('PRESENCE-02 PRESENCE-06 streams of the user and of those who supervise send the change, once', async () => {
  const [user, other] = [await account.addUser(), await account.addUser()];
  const streams = await Promise.all([user, account.admin, other].map(follow));
  const [own, admin, foreign] = streams;
  await set(user, 'away', 'Lunch');
  await set(user, 'away', 'Lunch');
  await set(user, 'available');
  for (const stream of [own, admin])
    await until(() => stream?.changes.length === 2, 'the stream sends the changes');
  const { body } = await account.admin.client.get('/users');
  const { name } = body.find(({ uuid }: { uuid: string }) => uuid === user.uuid);
  expect(admin?.changes).toMatchObject([
    { position: undefined, data: { uuid: user.uuid, name, reason: expect.anything() } },
    { position: undefined, data: { uuid: user.uuid, status: 'available', reason: null } },
  ]);
  expect(own?.changes).toEqual(admin?.changes);
  expect(foreign?.changes).toEqual([]);
  const log = await account.admin.client.get('/events');
  expect(log.text).not.toContain('availability-changed');
  for (const stream of streams) stream.leave();
});
