import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VoiceSimulator } from '../../../../simulator/voice/index.ts';
import { asText, edgeAddresses, simulatorAddress } from '../../../../tools/dev/voice/cell.ts';
import { routerForgetsSeconds } from '../../harness/networks/home-network.ts';
import { probeNat } from '../../harness/networks/nat-probe.ts';
import { type NetworkedPlatform, startNetworkedPlatform } from '../../harness/networks/networked-platform.ts';
import { startPhonesAtHome } from '../../harness/networks/phones-at-home.ts';
import { until } from '../../harness/until.ts';
import { numberEnding } from '../../harness/voice/lines.ts';
import { whenHeard } from '../../harness/voice/tones.ts';
import { type Line, whenCall } from '../../harness/voice/voice-platform.ts';

let networked: NetworkedPlatform;
let home: VoiceSimulator;
let line: Line;
beforeAll(async () => {
  networked = await startNetworkedPlatform({ PING_SECONDS: 1 });
  home = await startPhonesAtHome(networked.network);
  const account = await networked.platform.addAccount();
  line = await networked.platform.addLine(account, { simulator: home, phone: { behaviour: 'tone' } });
});
afterAll(async () => {
  await home?.stop('kill');
  await networked?.close();
});

const carrier = (): VoiceSimulator => networked.platform.engines.simulator;

test('a phone at home registers with its router’s address', async () => {
  const { network, platform } = networked;
  const [row] = await platform.database.query<{ received: string; contact: string }>(
    'select received, contact from edge.location where username = $1',
    [line.ramal],
  );
  expect(row?.contact).toContain(network.homeAddress);
  expect(row?.received).toContain(`sip:${network.routerAddress}:`);
});

test('CALL-14 a phone at home rings, has two-way audio, and hangs up', async () => {
  const id = await line.call(numberEnding('95'));
  await whenCall(line.account, id, 'answered');
  await whenHeard(home.heard(id, 'phone'), 1_000);
  await whenHeard(carrier().heard(id, 'carrier'), 440);
  await home.hangUpPhone(id);
  expect(await whenCall(line.account, id, 'ended')).toMatchObject({ ended_by: 'extension' });
});

test('a phone at home still rings after more silence than its router’s mapping lasts', async () => {
  const { network, platform } = networked;
  const registeredAt = async (): Promise<unknown> =>
    (await line.account.admin.client.get(`/extensions/${line.id}`)).body.registered_at;
  const before = await registeredAt();
  const waitSeconds = routerForgetsSeconds * 2;
  // A mapping without keep-alive has expired by then, and was never open to unknown addresses.
  const heard = probeNat(simulatorAddress(platform.engines.cell).address, network.home, waitSeconds);
  await sleep(waitSeconds * 1_000);
  expect(await heard).toEqual(['at once']);
  // The phone has kept its registration and did not register again.
  expect(await registeredAt()).toBe(before);
  const id = await line.call(numberEnding('95'));
  await whenCall(line.account, id, 'answered');
  await whenHeard(home.heard(id, 'phone'), 1_000);
  await carrier().hangUpCarrier(id);
  expect(await whenCall(line.account, id, 'ended')).toMatchObject({ ended_by: 'destination' });
  const leg = await until(
    async () => home.phoneCalls().find(({ callId, endedAtMs }) => callId === id && endedAtMs),
    'the phone at home gets the BYE',
  );
  expect(leg.endedBy).toBe('other');
});

test('CALL-25 a phone at home dials, with two-way audio', async () => {
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

test('a phone at home uses TLS and encrypts its audio', async () => {
  const { cell } = networked.platform.engines;
  const secure = await networked.platform.addLine(line.account, {
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
  const outside = await networked.platform.addLine(line.account);
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
