import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person, TestAccount } from '../../../harness/people.ts';
import { until } from '../../../harness/until.ts';
import {
  atCarrier,
  atPhone,
  liftCaps,
  listChannels,
  numberEnding,
  whenCarrierRings,
  whenPhoneRings,
  whenReleased,
} from '../../../harness/voice/lines.ts';
import {
  type Line,
  startVoicePlatform,
  type VoicePlatform,
  whenCall,
} from '../../../harness/voice/voice-platform.ts';

let platform: VoicePlatform;
let account: TestAccount;
let line: Line;
let unanswered: Line;

beforeAll(async () => {
  platform = await startVoicePlatform();
  account = await platform.addAccount();
  await liftCaps(platform, account);
  [line, unanswered] = await Promise.all([
    platform.addLine(account),
    platform.addLine(account, { phone: { behaviour: 'ring' } }),
  ]);
});
afterAll(() => platform.close());

const hangUp = (id: string, client = account.admin.client) => client.post(`/calls/${id}/hangup`);

const untilReleased = (id: string) =>
  until(
    async () => !(await listChannels(platform)).some((channel) => channel.startsWith(id)),
    'its channels are gone',
  );

test('HANGUP-01 HANGUP-03 ends an answered call without a body: both legs end, listed as ended', async () => {
  const id = await line.call(numberEnding('16'));
  await whenCall(account, id, 'answered');
  const answer = await hangUp(id);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    id,
    status: expect.stringMatching(/^end(ing|ed)$/),
    message: expect.any(String),
  });
  expect(await whenCall(account, id, 'ended')).toMatchObject({
    hangup_cause: 'NORMAL_CLEARING',
    ended_by: 'system',
    ended_at: expect.any(String),
  });
  await whenReleased(platform, id);
  expect([atPhone(platform, id)?.endedBy, atCarrier(platform, id)[0]?.endedBy]).toEqual(['other', 'other']);
  await untilReleased(id);
});

test('HANGUP-02 cancels a call whose softphone rings; its destination is never dialled', async () => {
  const id = await unanswered.call(numberEnding('16'));
  await whenPhoneRings(platform, id);
  expect((await hangUp(id)).body.status).toBe('ending');
  const ended = await whenCall(account, id, 'ended');
  expect(ended).toMatchObject({
    hangup_cause: 'ORIGINATOR_CANCEL',
    ended_by: 'system',
    duration: 0,
    call_price: 0,
  });
  await whenReleased(platform, id);
  expect(atPhone(platform, id)?.endedBy).toBe('other');
  await untilReleased(id);
  expect(atCarrier(platform, id)).toEqual([]);
});

test('HANGUP-02 cancels a call whose destination rings, on both sides', async () => {
  const id = await line.call(numberEnding('19'));
  await whenCarrierRings(platform, id);
  expect((await hangUp(id)).status).toBe(200);
  const ended = await whenCall(account, id, 'ended');
  expect(ended).toMatchObject({
    hangup_cause: 'ORIGINATOR_CANCEL',
    ended_by: 'system',
    duration: 0,
    call_price: 0,
  });
  await whenReleased(platform, id);
  expect([atPhone(platform, id)?.endedBy, atCarrier(platform, id)[0]?.endedBy]).toEqual(['other', 'other']);
  expect(atCarrier(platform, id)).toHaveLength(1);
});

test('HANGUP-04 hanging up an ended call changes nothing', async () => {
  const id = await line.call(numberEnding('17'));
  const ended = await whenCall(account, id, 'ended');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const again = await hangUp(id);
    expect([again.status, again.body]).toEqual([200, { id, status: 'ended', message: expect.any(String) }]);
  }
  expect(await whenCall(account, id, 'ended')).toEqual(ended);
});

test('HANGUP-04 two concurrent hang-ups both succeed, and the call ends once', async () => {
  const id = await line.call(numberEnding('16'));
  await whenCall(account, id, 'answered');
  const answers = await Promise.all([hangUp(id), hangUp(id), hangUp(id)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { timeline } = await whenCall(account, id, 'ended');
  expect(timeline.filter(({ what }: { what: string }) => what === 'ended')).toHaveLength(1);
});

test('HANGUP-05 an unknown or foreign call returns 404, and the foreign one continues', async () => {
  const other = await platform.addAccount();
  const id = await line.call(numberEnding('16'));
  await whenCall(account, id, 'answered');
  for (const unknown of [randomUUID(), 'x', '0', `${id}x`]) {
    expect((await hangUp(unknown)).status, unknown).toBe(404);
  }
  expect((await hangUp(id, other.admin.client)).status).toBe(404);
  expect((await whenCall(account, id, 'answered')).hangup_cause).toBeNull();
  await hangUp(id);
  await whenCall(account, id, 'ended');
});

async function permit({ uuid }: Person, permissions: { calls: string; supervision: boolean }): Promise<void> {
  const body = { recordings: 'none', money: false, webhooks: false, ...permissions };
  const answer = await account.admin.client.request('PUT', `/users/${uuid}/permissions`, { body });
  expect(answer.status).toBe(200);
}

test('AUTH-14 PERM-07 a USER calls only from their own extension and ends only their own calls', async () => {
  const [owner, colleague] = [await account.addUser(), await account.addUser()];
  const own = await platform.addLine(account, { owner });
  const foreign = await colleague.client.post('/calls', {
    extension: own.ramal,
    called: numberEnding('16'),
  });
  expect([foreign.status, foreign.body.error.errorCode]).toEqual([403, 'ACCESS_DENIED']);
  expect(own.phone.calls()).toEqual([]);

  const id = await own.call(numberEnding('16'), {}, owner.client);
  await whenCall(account, id, 'answered');
  const refusal = async () => {
    const { status, body } = await hangUp(id, colleague.client);
    return [status, body.error.errorCode];
  };
  expect(await refusal()).toEqual([404, 'NOT_FOUND']);
  await permit(colleague, { calls: 'all', supervision: false });
  expect(await refusal()).toEqual([403, 'ACCESS_DENIED']);
  await permit(colleague, { calls: 'own', supervision: false });
  expect((await whenCall(account, id, 'answered')).ended_at).toBeNull();
  const listed = async ({ client }: Person) =>
    (await client.list('/calls', { where: { id } }, { page: '1' })).body.data.length;
  expect([await listed(owner), await listed(colleague)]).toEqual([1, 0]);
  expect((await hangUp(id, owner.client)).status).toBe(200);
  await whenCall(account, id, 'ended');
});

test('PERM-07 a USER with the permission for supervision ends the calls of others', async () => {
  const [owner, supervisor] = [await account.addUser(), await account.addUser()];
  const own = await platform.addLine(account, { owner });
  await permit(supervisor, { calls: 'all', supervision: true });
  const id = await own.call(numberEnding('16'), {}, owner.client);
  await whenCall(account, id, 'answered');
  expect((await hangUp(id, supervisor.client)).status).toBe(200);
  await whenCall(account, id, 'ended');
});

const dial = (
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
  client = account.admin.client,
) =>
  client.post(
    '/dialer',
    { extension: line.ramal, phone: numberEnding('16'), metadata: {}, ...body },
    { headers },
  );

const latest = async () =>
  (await account.admin.client.list('/calls', { limit: 1 }, { page: '1' })).body.data[0];

test('DIALER-01 DIALER-02 DIALER-04 DIALER-05 the dialer id is accepted only by hang-up', async () => {
  const phone = numberEnding('16');
  const metadata = { deal: 'D-9' };
  const dialled = await dial({ phone: `+${phone.slice(0, 2)} ${phone.slice(2)}`, metadata });
  expect(dialled.status).toBe(200);
  expect(dialled.body).toEqual({ id: expect.any(String), message: expect.any(String) });
  const { id: dialerId } = dialled.body;
  const call = await latest();
  expect(call).toMatchObject({ to: phone, from: line.ramal, metadata, call_type: 'outbound' });
  expect(call.id).not.toBe(dialerId);
  expect(
    (await account.admin.client.list('/calls', { where: { id: dialerId } }, { page: '1' })).body.data,
  ).toEqual([]);
  for (const path of [
    `/calls/${dialerId}`,
    `/calls/${dialerId}/price`,
    `/calls/${dialerId}/recording/accesses?page=1`,
  ]) {
    expect((await account.admin.client.get(path)).status, path).toBe(404);
  }

  await whenCall(account, call.id, 'answered');
  expect(
    await until(() => atPhone(platform, call.id)?.answeredAtMs, 'the softphone has answered'),
  ).toBeLessThanOrEqual((await whenCarrierRings(platform, call.id)).invitedAtMs);
  const ending = await hangUp(dialerId);
  expect([ending.status, ending.body.id]).toEqual([200, dialerId]);
  await whenCall(account, call.id, 'ended');
  await whenReleased(platform, call.id);
  expect((await hangUp(dialerId)).body.status).toBe('ended');
  const other = await platform.addAccount(0);
  expect((await hangUp(dialerId, other.admin.client)).status).toBe(404);
});

test('DIALER-05 DIALER-06 every dialer response is marked deprecated, errors included', async () => {
  const poor = await platform.addAccount(0);
  const absent = await account.admin.client.post('/extensions/next-available', {
    senha: 'a long secret',
    first_name: 'Ana',
    last_name: 'Souza',
    email_address: 'ana@empresa.test',
    gravar_audio: 0,
  });
  const poorLine = await platform.addLine(poor);
  const answers = {
    '200': await dial({ phone: numberEnding('17') }),
    '422 VALIDATION_ERROR': await dial({ phone: '123456' }),
    '404 NOT_FOUND': await dial({ extension: '99999999' }),
    '403 DESTINATION_NOT_ALLOWED': await dial({ phone: '190' }),
    '403 ACCESS_DENIED': await dial({}, {}, (await account.addUser()).client),
    '402 INSUFFICIENT_CREDIT': await dial({ extension: poorLine.ramal }, {}, poor.admin.client),
    '424 EXTENSION_NOT_REGISTERED': await dial({ extension: absent.body.ramal }),
    '401 AUTHORIZATION_REQUIRED': await dial({}, {}, platform.client()),
  };
  for (const [expected, answer] of Object.entries(answers)) {
    const { status, body, headers } = answer;
    expect(status === 200 ? '200' : `${status} ${body.error.errorCode}`).toBe(expected);
    expect(headers.deprecation, expected).toMatch(/^@\d+$/);
    expect(Date.parse(headers.sunset ?? ''), expected).toBeGreaterThan(Date.now());
    expect(headers.link, expected).toBe('</api/v1/calls>; rel="successor-version"');
  }
  const fresh = await account.admin.client.post('/calls', {
    extension: '99999999',
    called: numberEnding('16'),
  });
  expect(fresh.headers.deprecation).toBeUndefined();
});

test('DIALER-07 idempotency keys of the dialer are separate from those of calls', async () => {
  const key = { 'idempotency-key': randomUUID() };
  const body = { phone: numberEnding('17') };
  const first = await dial(body, key);
  const again = await dial(body, key);
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([
    undefined,
    'true',
  ]);
  const other = await dial({ phone: numberEnding('17') }, key);
  expect([other.status, other.body.error.errorCode]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  const onCalls = await account.admin.client.post(
    '/calls',
    { extension: line.ramal, called: body.phone },
    { headers: key },
  );
  expect([onCalls.status, onCalls.headers['idempotency-replayed']]).toEqual([200, undefined]);
  await whenCall(account, onCalls.body.id, 'ended');
  const { data } = (await account.admin.client.list('/calls', { where: { to: body.phone } }, { page: '1' }))
    .body;
  expect(data).toHaveLength(2);
});

test('HANGUP-02 an unclaimed call ends immediately, and is not dialled when a node connects', async () => {
  await platform.stopVoice();
  const id = await line.call(numberEnding('16'));
  expect((await hangUp(id)).body.status).toBe('ended');
  const ended = await whenCall(account, id, 'ended');
  expect(ended).toMatchObject({ hangup_cause: 'ORIGINATOR_CANCEL', ended_by: 'system', call_price: 0 });
  await platform.startVoice();
  const after = await line.call(numberEnding('17'));
  await whenCall(account, after, 'ended');
  expect(atPhone(platform, id)).toBeUndefined();
  expect(atCarrier(platform, id)).toEqual([]);
});
