import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { ensureExtension, runAcceptedCall, runCall } from '../../harness/webhooks/calls.ts';
import {
  eventTypesIn,
  isSigned,
  type Receiver,
  startReceiver,
  webhooksAbout,
} from '../../harness/webhooks/receiver.ts';
import {
  addIntegration,
  startWebhookPlatform,
  type WebhookPlatform,
} from '../../harness/webhooks/webhook-platform.ts';

const callTypes = ['channel-create', 'channel-ringing', 'channel-answer', 'channel-hangup', 'call-priced'];
const metadata = { deal: 'D-1', count: 3, nested: { yes: true } };

let platform: WebhookPlatform;
let receiver: Receiver;
let account: TestAccount;
let secret: string;

beforeAll(async () => {
  platform = await startWebhookPlatform();
  receiver = await startReceiver();
  account = await createAccount(platform);
  ({ secret } = await addIntegration(account.admin, receiver.url, callTypes));
});
afterAll(async () => {
  await platform.close();
  await receiver.stop();
});

/** Returns the bodies of a call by type. */
async function bodiesByType(id: string): Promise<Record<string, Record<string, unknown>>> {
  await platform.untilIdle();
  return Object.fromEntries(webhooksAbout(receiver, id).map(({ body }) => [body.eventType, body]));
}

test('HOOK-05 HOOK-06 HOOK-07 HOOK-11 HOOK-12 HOOK-13 ACCT-03 CALL-13 bodies of a recorded call', async () => {
  const ramal = await ensureExtension(platform, account);
  const { id } = await runCall(platform, account, { seconds: 42, metadata });
  const bodies = await bodiesByType(id);
  const listed = (await account.admin.client.get('/calls', { query: { page: '1' } })).body.data[0];
  const hangup = bodies['channel-hangup'] ?? {};
  expect(hangup).toEqual({
    version: '1.8',
    eventType: 'channel-hangup',
    id,
    domain: account.domain,
    direction: 'outbound',
    caller: ramal,
    called: '5511999990016',
    timezone: 'America/Sao_Paulo',
    startedAt: inSaoPaulo(listed.started_at),
    startedAtIso: new Date(listed.started_at).toISOString(),
    answeredAt: inSaoPaulo(listed.answered_at),
    answeredAtIso: new Date(listed.answered_at).toISOString(),
    endedAt: inSaoPaulo(listed.ended_at),
    endedAtIso: new Date(listed.ended_at).toISOString(),
    duration: 42,
    hangupCause: 'NORMAL_CLEARING',
    hangupCauseCode: '16',
    endedBy: 'destination',
    recordUrl: expect.stringContaining(`http://api.disca.test/api/v1/recordings/${id}?signature=`),
    metadata,
    sequence: 4,
    accountSequence: expect.any(Number),
  });
  expect(hangup.startedAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(listed).toMatchObject({ id, hangup_cause: hangup.hangupCause, from: ramal, metadata });

  const { endedAt, endedAtIso, duration, hangupCause, hangupCauseCode, recordUrl, ...rest } = hangup;
  expect(bodies['channel-answer']).toEqual({
    ...rest,
    eventType: 'channel-answer',
    endedBy: null,
    sequence: 3,
    accountSequence: expect.any(Number),
  });
  const extension = (await account.admin.client.get('/extensions')).body;
  expect(JSON.stringify(extension)).toContain(`"domain":"${account.domain}"`);
});

/** Formats as Sao Paulo wall clock time, which is UTC-3 all year. */
const inSaoPaulo = (iso: string): string =>
  new Date(new Date(iso).getTime() - 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

test('HOOK-02 HOOK-03 HOOK-13 HOOK-14 a busy call has a hang-up event with zero duration, and no answer event', async () => {
  const { id } = await runCall(platform, account, { seconds: 0 });
  const bodies = await bodiesByType(id);
  expect(Object.keys(bodies).sort()).toEqual(callTypes.filter((type) => type !== 'channel-answer').sort());
  expect(bodies['channel-hangup']).toMatchObject({
    answeredAt: null,
    answeredAtIso: null,
    duration: 0,
    hangupCause: 'USER_BUSY',
    hangupCauseCode: '17',
    recordUrl: null,
    metadata: {},
  });
});

test('HOOK-14 a talked call without recording has no recordUrl', async () => {
  const { id } = await runCall(platform, account, { isRecorded: false });
  expect((await bodiesByType(id))['channel-hangup']).toMatchObject({ duration: 10, recordUrl: null });
});

test('HOOK-11 times are in the account’s time zone', async () => {
  const other = await createAccount(platform);
  const changed = await other.admin.client.patch('/accounts', { timezone: 'Asia/Kolkata' });
  expect(changed.status).toBe(200);
  await addIntegration(other.admin, receiver.url);
  const { id } = await runCall(platform, other, { seconds: 3 });
  const { timezone, startedAt, startedAtIso, endedAt, endedAtIso } =
    (await bodiesByType(id))['channel-hangup'] ?? {};
  expect(timezone).toBe('Asia/Kolkata');
  for (const [wall, iso] of [
    [startedAt, startedAtIso],
    [endedAt, endedAtIso],
  ]) {
    const ahead = Date.parse(`${wall}Z`) - Math.floor(Date.parse(String(iso)) / 1000) * 1000;
    expect(ahead).toBe(5.5 * 3_600_000);
  }
});

test('HOOK-13 every cause has its number, as a string', async () => {
  const causes = {
    NORMAL_CLEARING: '16',
    USER_BUSY: '17',
    NO_USER_RESPONSE: '18',
    NO_ANSWER: '19',
    CALL_REJECTED: '21',
    NUMBER_CHANGED: '22',
    UNALLOCATED_NUMBER: '1',
    INVALID_NUMBER_FORMAT: '28',
    ORIGINATOR_CANCEL: '487',
    NORMAL_TEMPORARY_FAILURE: '41',
    RECOVERY_ON_TIMER_EXPIRE: '102',
    NETWORK_OUT_OF_ORDER: '38',
    ALLOTTED_TIMEOUT: '602',
    LOSE_RACE: '502',
  };
  const { id } = await runCall(platform, account);
  await platform.untilIdle();
  const before = receiver.received.length;
  await platform.database.query(
    `insert into event_outbox (id, account_id, type, subject_id, data, occurred_at)
     select gen_random_uuid(), account_id, type, subject_id,
            jsonb_set(data, '{call,hangup_cause}', to_jsonb(cause)), occurred_at
       from recorded_events, unnest($2::text[]) as cause where subject_id = $1 and type = 'channel-hangup'`,
    [id, Object.keys(causes)],
  );
  await platform.untilIdle();
  const sentCauses = receiver.received
    .slice(before)
    .map(({ body }) => [body.hangupCause, body.hangupCauseCode]);
  expect(Object.fromEntries(sentCauses)).toEqual(causes);
});

test('HOOK-10 the version is sent as configured, and nothing else depends on it', async () => {
  const other = await createAccount(platform);
  const versions = ['1.8', 'v1.4'];
  for (const webhookVersion of versions)
    await addIntegration(other.admin, `${receiver.url}/${webhookVersion}`, ['channel-hangup'], {
      gateway: webhookVersion,
      webhookVersion,
    });
  const { id } = await runCall(platform, other, { isRecorded: false });
  await platform.untilIdle();
  const sentVersions = versions.map((version) => {
    const [found] = webhooksAbout(receiver, id).filter(({ path }) => path.endsWith(`/${version}`));
    return found?.body;
  });
  expect(sentVersions.map(({ version }) => version)).toEqual(versions);
  expect({ ...sentVersions[0], version: '' }).toEqual({ ...sentVersions[1], version: '' });
});

test('DIALER-03 CALL-13 a dialer call is sent with its metadata and its id in the list', async () => {
  const ramal = await ensureExtension(platform, account);
  const { client } = account.admin;
  const dialled = await client.post('/dialer', { extension: ramal, phone: '5511999990016', metadata });
  expect(dialled.status).toBe(200);
  const [listed] = (await client.get('/calls', { query: { page: '1' } })).body.data;
  expect(listed.id).not.toBe(dialled.body.id);
  await runAcceptedCall(platform, listed.id, 5);
  await platform.untilIdle();
  expect(eventTypesIn(webhooksAbout(receiver, listed.id))).toEqual([...callTypes].sort());
  for (const { body } of webhooksAbout(receiver, listed.id)) expect(body.metadata).toEqual(metadata);
  expect(webhooksAbout(receiver, dialled.body.id)).toEqual([]);
});

test('HOOK-01 HOOK-16 every webhook is a signed JSON POST, and an altered one does not verify', async () => {
  const startedSeconds = Math.floor(platform.clock.now().getTime() / 1000);
  const { id } = await runCall(platform, account);
  await platform.untilIdle();
  const own = new URL(receiver.url).pathname;
  const mine = receiver.received.filter(({ path, body }) => path === own && body.domain === account.domain);
  for (const webhook of mine) {
    const { headers } = webhook;
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': expect.any(String) });
    expect(isSigned(webhook, secret)).toBe(true);
  }
  // The library rejects webhooks that are older than five minutes, as those of earlier tests may be.
  const fresh = webhooksAbout(receiver, id);
  expect(fresh.length).toBeGreaterThan(4);
  for (const { headers, text, atMs } of fresh) {
    const seconds = Number(headers['webhook-timestamp']);
    expect(seconds).toBeGreaterThanOrEqual(startedSeconds);
    expect(seconds).toBeLessThanOrEqual(atMs / 1000);
    expect(new Webhook(secret).verify(text, headers)).toBeTruthy();
    expect(() => new Webhook(secret).verify(`${text} `, headers)).toThrow();
    const otherId = { ...headers, 'webhook-id': 'msg_other' };
    expect(() => new Webhook(secret).verify(text, otherId)).toThrow();
  }
});
