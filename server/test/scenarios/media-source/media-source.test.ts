import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Address } from '../../harness/edge/sip-transport.ts';
import { whenListed } from '../../harness/fixtures/dialled-calls.ts';
import type { TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { liftCaps, numberEnding } from '../../harness/voice/lines.ts';
import { startVoicePlatform, type VoicePlatform, whenCall } from '../../harness/voice/voice-platform.ts';
import { type AudioSocket, openAudioSocket } from './audio-socket.ts';
import { addPlainPhone, type PlainPhone, phoneAddress, type RingingCall } from './plain-phone.ts';

/** What a phone behind NAT knows about itself. */
const privateAddress = '192.168.77.2';
const otherAddress = '127.0.0.9';
/** Longer than the engine learns the source of a leg. */
const learnedMs = 6_500;
/** The bound of EXT-28, and what a busy machine may add. */
const boundMs = 1_000;
const loadMs = 3_000;
const packetMs = 20;
/** Packets of half a second. */
const someAudio = 25;

let platform: VoicePlatform;
let account: TestAccount;
let phone: PlainPhone;
const sockets: AudioSocket[] = [];

beforeAll(async () => {
  platform = await startVoicePlatform({ engines: { rtpTimeoutSeconds: 120, partyRtpTimeoutSeconds: 120 } });
  account = await platform.addAccount();
  await liftCaps(platform, account);
  phone = await addPlainPhone(platform, account);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});
afterAll(async () => {
  await phone?.close();
  await platform?.close();
});

async function openAudio(address: string): Promise<AudioSocket> {
  const socket = await openAudioSocket(address);
  sockets.push(socket);
  return socket;
}

/** Places a call from the phone to a steady tone. */
async function ring(): Promise<{ id: string; call: RingingCall }> {
  const number = numberEnding('95');
  const ringing = phone.nextCall();
  const order = { caller: phone.ramal, called: number, extension: phone.ramal };
  const { body } = await account.admin.client.post('/calls', order);
  return { id: body.id as string, call: await ringing };
}

const portOf = ({ local: { port } }: AudioSocket, address: string): Address => ({ address, port });

/** What the phone declares: the port of a socket that is not the one it uses, as after translation by a router. */
const translated: Address = { address: privateAddress, port: 40_000 };

const hears = (socket: AudioSocket, who: string): Promise<unknown> => {
  const before = socket.heard();
  return until(async () => socket.heard() > before + someAudio, `${who} hears the call`);
};

/** Returns how many packets arrive within a second. */
async function heardWithinSecond(socket: AudioSocket): Promise<number> {
  const before = socket.heard();
  await sleep(1_000);
  return socket.heard() - before;
}

const audioMoments = async (id: string) => {
  const { body } = await account.admin.client.get(`/calls/${id}`);
  return (body.timeline as { what: string }[]).filter(({ what }) => what.startsWith('audio_'));
};

const statusOf = async (id: string): Promise<string> =>
  (await account.admin.client.get(`/calls/${id}`)).body.status;

async function hangUp(id: string): Promise<void> {
  await account.admin.client.post(`/calls/${id}/hangup`);
  await whenCall(account, id, 'ended');
}

async function expectEnded(id: string, from: string): Promise<void> {
  const ended = await whenCall(account, id, 'ended');
  expect(ended).toMatchObject({ ended_by: 'system', hangup_cause: 'NORMAL_CLEARING' });
  expect(Date.parse(ended.ended_at) - Date.parse(ended.answered_at)).toBeLessThan(boundMs + loadMs);
  expect(await audioMoments(id)).toEqual([
    { at: expect.any(String), what: 'audio_missing', from, reason: 'other_address' },
  ]);
}

test('EXT-28 a call whose audio another address diverts to itself is ended within a second', async () => {
  const [attacker, own] = [await openAudio(otherAddress), await openAudio(phoneAddress)];
  const { id, call } = await ring();
  attacker.sendTo(call.nodeAudio);
  call.answer(translated);
  // Whichever sends first after the answer is learned, so the phone must not start earlier than this.
  await until(async () => attacker.heard() > 0, 'the engine diverts the audio');
  own.sendTo(call.nodeAudio);
  await expectEnded(id, 'extension');
  expect(attacker.heard()).toBeLessThan((boundMs + loadMs) / packetMs);
  expect(await heardWithinSecond(attacker)).toBe(0);
});

test('EXT-28 a phone whose router keeps its port takes the audio back from an attacker', async () => {
  const [attacker, own] = [await openAudio(otherAddress), await openAudio(phoneAddress)];
  const { id, call } = await ring();
  attacker.sendTo(call.nodeAudio);
  await sleep(500);
  call.answer(portOf(own, privateAddress));
  own.sendTo(call.nodeAudio);
  await whenCall(account, id, 'answered');
  await hears(own, 'the phone');
  expect(await heardWithinSecond(attacker)).toBe(0);
  await sleep(learnedMs);
  await hears(own, 'the phone');
  expect(await heardWithinSecond(attacker)).toBe(0);
  expect(await statusOf(id)).toBe('answered');
  await hangUp(id);
});

test('EXT-28 audio is learned from any port of the phone, and again only after a re-INVITE', async () => {
  const [first, second] = [await openAudio(phoneAddress), await openAudio(phoneAddress)];
  const { id, call } = await ring();
  call.answer(translated);
  first.sendTo(call.nodeAudio);
  await whenCall(account, id, 'answered');
  await hears(first, 'the phone');
  await sleep(learnedMs);
  first.pause();
  second.sendTo(call.nodeAudio);
  expect(await heardWithinSecond(second)).toBe(0);
  second.sendTo(await call.change({ ...translated, port: 40_002 }));
  await hears(second, 'the phone at its new port');
  expect(await heardWithinSecond(first)).toBe(0);
  expect(await statusOf(id)).toBe('answered');
  await hangUp(id);
});

test('EXT-28 a call survives hold, also with the address 0.0.0.0, and audio that starts late', async () => {
  const own = await openAudio(phoneAddress);
  const { id, call } = await ring();
  call.answer(translated);
  await whenCall(account, id, 'answered');
  await sleep(1_500);
  own.sendTo(call.nodeAudio);
  await hears(own, 'the phone');
  await call.change(translated, 'sendonly');
  await sleep(1_500);
  await call.change({ ...translated, address: '0.0.0.0' }, 'sendonly');
  await sleep(1_500);
  await call.change(translated);
  await hears(own, 'the phone after hold');
  expect(await statusOf(id)).toBe('answered');
  await hangUp(id);
});

test('EXT-28 the called phone of an internal call is judged as well', async () => {
  const caller = await platform.addLine(account, { phone: { behaviour: 'tone' } });
  const elsewhere = await openAudio(otherAddress);
  const ringing = phone.nextCall();
  await caller.phone.dial(phone.ramal);
  const call = await ringing;
  call.answer(portOf(elsewhere, otherAddress));
  elsewhere.sendTo(call.nodeAudio);
  const { id } = await whenListed(account, { to: phone.ramal });
  await expectEnded(id, 'destination');
});

test('EXT-28 a phone that dials is judged as well', async () => {
  const [own, attacker] = [await openAudio(phoneAddress), await openAudio(otherAddress)];
  const healthy = numberEnding('95');
  own.sendTo(await phone.dial(healthy, translated));
  const { id } = await whenListed(account, { to: healthy });
  await hears(own, 'the phone');
  await sleep(boundMs);
  expect(await statusOf(id)).toBe('answered');
  await hangUp(id);

  const attacked = numberEnding('95');
  attacker.sendTo(await phone.dial(attacked, translated));
  await expectEnded((await whenListed(account, { to: attacked })).id, 'extension');
});

test('EXT-29 an account can allow audio from another address than that of the phone', async () => {
  const separate = async (): Promise<{ id: string; media: AudioSocket }> => {
    const media = await openAudio(otherAddress);
    const { id, call } = await ring();
    call.answer(portOf(media, otherAddress));
    media.sendTo(call.nodeAudio);
    return { id, media };
  };
  const refused = await separate();
  await expectEnded(refused.id, 'extension');

  await account.admin.client.patch('/accounts', { mediaFromAnyAddress: true });
  const allowed = await separate();
  await whenCall(account, allowed.id, 'answered');
  await hears(allowed.media, 'the media server');
  await sleep(learnedMs);
  await hears(allowed.media, 'the media server');
  expect(await statusOf(allowed.id)).toBe('answered');
  expect(await audioMoments(allowed.id)).toEqual([]);
  await hangUp(allowed.id);

  await account.admin.client.patch('/accounts', { mediaFromAnyAddress: false });
  const again = await separate();
  await expectEnded(again.id, 'extension');
});
