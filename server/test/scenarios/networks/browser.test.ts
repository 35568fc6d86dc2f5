import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extensionBody } from '../../harness/fixtures/extensions.ts';
import { type HomeBrowser, microphoneHertz, startBrowser } from '../../harness/networks/browser.ts';
import { type BrowserPhone, browserPhone } from '../../harness/networks/browser-phone.ts';
import { expectTone } from '../../harness/networks/expect-tone.ts';
import { portsThatBrowserUses } from '../../harness/networks/ice-probe.ts';
import {
  type NetworkedPlatform,
  rtpTimeoutSeconds,
  startNetworkedPlatform,
} from '../../harness/networks/networked-platform.ts';
import type { PhoneLogin } from '../../harness/networks/page/messages.ts';
import type { Person, TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { atCarrier, numberEnding, whenReleased } from '../../harness/voice/lines.ts';
import { whenHeard } from '../../harness/voice/tones.ts';
import { whenCall } from '../../harness/voice/voice-platform.ts';

const consoleOrigin = 'https://console.disca.localhost';
const carrierHertz = 1_000;
const phoneHertz = 440;
/** Longer than the browser waits for further candidates. */
const lateMs = 1_500;
/** Missing audio would have been reported after this time, also on a busy machine. */
const audioReportMs = 10_000;

let networked: NetworkedPlatform;
let browser: HomeBrowser;
let account: TestAccount;
let owner: Person;
let extension: { id: number; ramal: string };
let phone: BrowserPhone;
beforeAll(async () => {
  networked = await startNetworkedPlatform();
  browser = await startBrowser(networked.network, networked.certificateFile);
  account = await networked.platform.addAccount();
  owner = await account.addUser();
  await networked.platform.database.query('update users set email_verified = true where uuid = $1', [
    owner.uuid,
  ]);
  const body = extensionBody({ email_address: owner.email });
  extension = (await account.admin.client.post('/extensions', body)).body;
  phone = browserPhone(await browser.openPage(consoleOrigin));
});
afterAll(async () => {
  await browser?.close();
  await networked?.close();
});

/** Opens a phone session as the console does, for the user who owns the extension. */
async function openSession(id = extension.id, client = owner.client): Promise<PhoneLogin> {
  const { status, body } = await client.post(`/extensions/${id}/phone-sessions`);
  expect(status).toBe(200);
  return {
    url: body.websocket_urls[0],
    uri: body.uri,
    user: body.username,
    password: body.password,
    expiresSeconds: body.registration_seconds,
    iceServers: body.ice_servers,
    relayOnly: true,
  };
}

const call = async (to: string): Promise<string> => {
  const body = { caller: extension.ramal, called: to, extension: extension.ramal };
  return (await owner.client.post('/calls', body)).body.id;
};
/** Returns where the media node sends the phone's audio. */
const remoteAddressAtNode = async (callId: string): Promise<unknown> => {
  const path = `/channels/${callId}.a/variable?variable=${encodeURIComponent('CHANNEL(rtp,dest)')}`;
  const { body } = await networked.platform.engines.node.ask('GET', path);
  return (body as { value: unknown }).value;
};
const isRegistered = async (): Promise<boolean> =>
  (await account.admin.client.get(`/extensions/${extension.id}`)).body.registered;
const expectHeardByCarrier = (id: string): Promise<void> =>
  expectTone(networked.platform.engines.simulator.heard(id, 'carrier'), microphoneHertz, 0.5);

test('bug: AUDIO-17 a browser sends nothing to port 10080, which is why media nodes do not use it', async () => {
  const page = await browser.openPage(consoleOrigin);
  const ports = await portsThatBrowserUses(page, `${networked.network.network}.6`, [10_080, 10_082]);
  expect(ports).toEqual([10_082]);
  await page.context().close();
});

test('EXT-18 a browser at home registers with a phone session, rings, and has two-way audio by the relay', async () => {
  await phone.logIn(await openSession());
  await phone.when('registered');
  expect(await isRegistered()).toBe(true);
  const id = await call(numberEnding('95'));
  await phone.when('confirmed');
  await whenCall(account, id, 'answered');
  await phone.whenHearing(carrierHertz);
  const traffic = await phone.traffic();
  expect(traffic).toMatchObject({
    local: 'relay',
    remote: expect.stringContaining(networked.network.network),
    cipher: expect.stringContaining('AES'),
  });
  expect(traffic.energyReceived).toBeGreaterThan(0);
  expect(await remoteAddressAtNode(id)).toContain(`${networked.relay.address}:`);
  await phone.hangUp();
  expect(await whenCall(account, id, 'ended')).toMatchObject({
    ended_by: 'extension',
    call_type: 'outbound',
  });
  await whenReleased(networked.platform, id);
  await expectHeardByCarrier(id);
});

test('the call in the browser ends when the destination hangs up', async () => {
  const [ended, confirmed] = [await phone.count('ended'), await phone.count('confirmed')];
  const id = await call(numberEnding('95'));
  await whenCall(account, id, 'answered');
  await phone.when('confirmed', confirmed + 1);
  // Both are bridged shortly after the answer, and only then does a hang-up end the other side.
  await phone.whenHearing(carrierHertz);
  await networked.platform.engines.simulator.hangUpCarrier(id);
  expect(await whenCall(account, id, 'ended')).toMatchObject({ ended_by: 'destination' });
  await phone.when('ended', ended + 1);
});

test('CALL-25 a browser dials, and its DTMF keys arrive', async () => {
  const to = numberEnding('94');
  const confirmed = await phone.count('confirmed');
  await phone.dial(`sip:${to}@${account.domain}`);
  await phone.when('confirmed', confirmed + 1);
  const { body } = await account.admin.client.list('/calls', { where: { to } }, { page: '1' });
  const [{ id }] = body.data;
  expect(await whenCall(account, id, 'answered')).toMatchObject({
    call_type: 'outbound',
    from: extension.ramal,
  });
  await phone.press('4079');
  await until(async () => atCarrier(networked.platform, id)[0]?.keys === '4079', 'the keys arrive');
  await phone.hangUp();
  expect(await whenCall(account, id, 'ended')).toMatchObject({ ended_by: 'extension' });
});

test('AUDIO-12 a muted browser and a call on hold have no audio entry; a resumed call without packets has', async () => {
  const confirmed = await phone.count('confirmed');
  const id = await call(numberEnding('95'));
  await phone.when('confirmed', confirmed + 1);
  await phone.whenHearing(carrierHertz);
  const audioEntries = async (): Promise<{ what: string }[]> => {
    const { body } = await account.admin.client.get(`/calls/${id}`);
    return body.timeline.filter(({ what }: { what: string }) => what.startsWith('audio_'));
  };
  await phone.mute();
  await sleep(audioReportMs);
  expect(await audioEntries(), 'muted').toEqual([]);
  await phone.hold();
  await phone.when('held');
  await phone.stopSending();
  await sleep(audioReportMs);
  expect(await audioEntries(), 'on hold').toEqual([]);
  await phone.resume();
  const entries = await until(async () => {
    const found = await audioEntries();
    return found.length > 0 ? found : undefined;
  }, 'the missing audio is reported');
  expect(entries).toEqual([
    { at: expect.any(String), what: 'audio_missing', from: 'extension', reason: 'no_packets' },
  ]);
  await phone.hangUp();
  await whenCall(account, id, 'ended');
});

test('a browser whose router blocks UDP uses the relay over TCP', async () => {
  const { network, relay } = networked;
  const open = await network.blockUdpTo(relay.address);
  const confirmed = await phone.count('confirmed');
  const id = await call(numberEnding('95'));
  await phone.when('confirmed', confirmed + 1);
  await phone.whenHearing(carrierHertz);
  expect(await phone.traffic()).toMatchObject({ local: 'relay', relayProtocol: 'tcp' });
  await account.admin.client.post(`/calls/${id}/hangup`);
  await whenCall(account, id, 'ended');
  await expectHeardByCarrier(id);
  await open();
});

test('an unencrypted SIP phone works at the same time, and the browser calls it', async () => {
  const { simulator } = networked.platform.engines;
  const line = await networked.platform.addLine(account, { phone: { behaviour: 'tone' } });
  const id = await line.call(numberEnding('95'));
  await whenCall(account, id, 'answered');
  await whenHeard(simulator.heard(id, 'phone'), carrierHertz);
  await whenHeard(simulator.heard(id, 'carrier'), phoneHertz);
  await simulator.hangUpPhone(id);
  await whenCall(account, id, 'ended');

  await phone.dial(`sip:${line.ramal}@${account.domain}`);
  await phone.whenHearing(phoneHertz);
  const callId = line.phone.calls().at(-1)?.callId ?? '';
  await phone.hangUp();
  expect(await whenCall(account, callId, 'ended')).toMatchObject({ call_type: 'internal', call_price: 0 });
  await expectTone(simulator.heard(callId, 'phone'), microphoneHertz, 0.5);
});

test('two browsers, one of them without a relay, call each other', async () => {
  const { client } = account.admin;
  const { id, ramal } = (await client.post('/extensions', extensionBody())).body;
  const other = browserPhone(await browser.openPage(consoleOrigin));
  await other.logIn({ ...(await openSession(id, client)), iceServers: [], relayOnly: false });
  await other.when('registered');
  await phone.dial(`sip:${ramal}@${account.domain}`);
  await Promise.all([phone.whenHearing(microphoneHertz), other.whenHearing(microphoneHertz)]);
  expect((await phone.traffic()).local).toBe('relay');
  expect((await other.traffic()).local).not.toBe('relay');
  await other.hangUp();
  const { body } = await client.list('/calls', { where: { to: ramal } }, { page: '1' });
  expect(await whenCall(account, body.data[0].id, 'ended')).toMatchObject({
    call_type: 'internal',
    ended_by: 'destination',
  });
  await other.logOff();
});

test('AUDIO-18 a browser that gathers its UDP candidates late is heard', async () => {
  const { client } = account.admin;
  const { id, ramal } = (await client.post('/extensions', extensionBody())).body;
  const other = browserPhone(await browser.openPage(consoleOrigin));
  await other.delayUdpCandidates(lateMs);
  await other.logIn({ ...(await openSession(id, client)), iceServers: [], relayOnly: false });
  await other.when('registered');
  await phone.dial(`sip:${ramal}@${account.domain}`);
  await Promise.all([phone.whenHearing(microphoneHertz), other.whenHearing(microphoneHertz)]);
  await other.hangUp();
  await other.logOff();
});

test('a page of another site gets no connection', async () => {
  const origin = 'https://elsewhere.test';
  const foreign = browserPhone(await browser.openPage(origin));
  await foreign.logIn(await openSession());
  await foreign.when('disconnected');
  expect(await foreign.count('connected')).toBe(0);
  // The log shows that the edge itself rejected the request.
  const log = readFileSync(join(networked.platform.engines.edge.dir, 'log/messages'), 'latin1');
  expect(log).toContain(`a page of ${origin} from ${networked.network.routerAddress}`);
  await foreign.logOff();
});

test('a browser reconnects automatically after an edge outage, and rings again', async () => {
  const [registered, confirmed] = [await phone.count('registered'), await phone.count('confirmed')];
  await networked.platform.engines.edge.restart('kill');
  await phone.when('registered', registered + 1);
  const id = await call(numberEnding('95'));
  await phone.when('confirmed', confirmed + 1);
  await phone.whenHearing(carrierHertz);
  await phone.hangUp();
  await whenCall(account, id, 'ended');
});

// Runs last, because the browser is not restarted.
test('a browser killed during a call leaves neither the call nor its registration behind', async () => {
  const id = await call(numberEnding('95'));
  const answered = await whenCall(account, id, 'answered');
  await phone.whenHearing(carrierHertz);
  const killedAtMs = Date.now();
  await browser.kill();
  const ended = await whenCall(account, id, 'ended');
  await whenReleased(networked.platform, id);
  expect(Date.parse(answered.answered_at)).toBeLessThan(killedAtMs);
  expect(Date.parse(ended.ended_at) - killedAtMs).toBeLessThan((rtpTimeoutSeconds * 2 + 5) * 1_000);
  await until(async () => !(await isRegistered()), 'the registration ends with the connection');
});
