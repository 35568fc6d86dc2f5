import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VoiceSimulator } from '../../../../simulator/voice/index.ts';
import { asText, edgeAddresses, simulatorAddress } from '../../../../tools/dev/voice/cell.ts';
import { routerForgetsSeconds } from '../../harness/networks/home-network.ts';
import { knock } from '../../harness/networks/knock.ts';
import { startWorld, type World } from '../../harness/networks/networked-platform.ts';
import { startPhonesAtHome } from '../../harness/networks/phones-at-home.ts';
import { until } from '../../harness/until.ts';
import { numberEnding } from '../../harness/voice/lines.ts';
import { whenHeard } from '../../harness/voice/tones.ts';
import { type Line, whenCall } from '../../harness/voice/voice-platform.ts';

let world: World;
let home: VoiceSimulator;
let line: Line;
beforeAll(async () => {
  world = await startWorld({ PING_SECONDS: 1 });
  home = await startPhonesAtHome(world.network);
  const account = await world.platform.addAccount();
  line = await world.platform.addLine(account, { simulator: home, phone: { behaviour: 'tone' } });
});
afterAll(async () => {
  await home?.stop('kill');
  await world?.close();
});

const carrier = (): VoiceSimulator => world.platform.engines.simulator;

test('a phone at home is known by its router, and is registered', async () => {
  const { network, platform } = world;
  const [row] = await platform.database.query<{ received: string; contact: string }>(
    'select received, contact from edge.location where username = $1',
    [line.ramal],
  );
  expect(row?.contact).toContain(network.homeAddress);
  expect(row?.received).toContain(`sip:${network.routerAddress}:`);
});

test('CALL-14 a phone at home is rung, each side hears the other, and the phone hangs up', async () => {
  const id = await line.call(numberEnding('95'));
  await whenCall(line.account, id, 'answered');
  await whenHeard(home.heard(id, 'phone'), 1_000);
  await whenHeard(carrier().heard(id, 'carrier'), 440);
  await home.hangUpPhone(id);
  expect(await whenCall(line.account, id, 'ended')).toMatchObject({ ended_by: 'extension' });
});

test('a phone at home, silent for longer than its router remembers a way, is still rung', async () => {
  const { network, platform } = world;
  const registeredAt = async (): Promise<unknown> =>
    (await line.account.admin.client.get(`/extensions/${line.id}`)).body.registered_at;
  const before = await registeredAt();
  const waitSeconds = routerForgetsSeconds * 2;
  // A way that nobody keeps open is closed by then, and never was open to strangers.
  const heard = knock(simulatorAddress(platform.engines.cell).address, network.home, waitSeconds);
  await sleep(waitSeconds * 1_000);
  expect(await heard).toEqual(['at once']);
  // It has not refreshed by itself meanwhile.
  expect(await registeredAt()).toBe(before);
  const id = await line.call(numberEnding('95'));
  await whenCall(line.account, id, 'answered');
  await whenHeard(home.heard(id, 'phone'), 1_000);
  await carrier().hangUpCarrier(id);
  expect(await whenCall(line.account, id, 'ended')).toMatchObject({ ended_by: 'destination' });
  const leg = await until(
    async () => home.phoneCalls().find(({ callId, endedAtMs }) => callId === id && endedAtMs),
    'the phone at home is told of the end',
  );
  expect(leg.endedBy).toBe('other');
});

test('CALL-25 a phone at home dials, and each side hears the other', async () => {
  const to = numberEnding('95');
  const dialled = await line.phone.dial(to);
  await dialled.answered();
  const { body } = await line.account.admin.client.list('/calls', { where: { to } }, { page: '1' });
  const [{ id, call_type: callType }] = body.data;
  expect(callType).toBe('outbound');
  await whenHeard(carrier().heard(id, 'carrier'), 440);
  await whenHeard(dialled.heard, 1_000);
  await dialled.hangUp();
  expect(await whenCall(line.account, id, 'ended')).toMatchObject({ ended_by: 'extension' });
});

test('a phone at home speaks TLS and encrypts what it says', async () => {
  const { cell } = world.platform.engines;
  const secure = await world.platform.addLine(line.account, {
    simulator: home,
    phone: { behaviour: 'tone', transport: 'tls', edge: asText(edgeAddresses(cell).tls) },
  });
  const id = await secure.call(numberEnding('95'));
  await whenCall(line.account, id, 'answered');
  await whenHeard(home.heard(id, 'phone'), 1_000);
  await whenHeard(carrier().heard(id, 'carrier'), 440);
  await carrier().hangUpCarrier(id);
  expect(await whenCall(line.account, id, 'ended')).toMatchObject({ ended_by: 'destination' });
});

test('CALL-25 a phone on the public side calls the one at home', async () => {
  const outside = await world.platform.addLine(line.account);
  const dialled = await outside.phone.dial(line.ramal);
  await dialled.answered();
  const leg = await until(
    async () => line.phone.calls().findLast(({ endedAtMs }) => endedAtMs === undefined),
    'the phone at home has answered',
  );
  await whenHeard(home.heard(leg.callId, 'phone'), 440);
  await whenHeard(dialled.heard, 440);
  await dialled.hangUp();
  await whenCall(line.account, leg.callId, 'ended');
});
