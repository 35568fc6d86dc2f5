import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type ManyNodesDeployment, startManyNodes } from '../../harness/deployments/many-nodes.ts';
import { openSipClient } from '../../harness/edge/sip-client.ts';
import { methodOf, statusOf } from '../../harness/edge/sip-message.ts';
import { until } from '../../harness/until.ts';
import { readWav, secondsOfTone } from '../../harness/voice/tones.ts';
import { addCustomer, addExtension, addLine, type Customer, untilRegistered } from './line.ts';
import { numberEnding, placeCall } from './place-calls.ts';
import { openReconnectingPhone } from './reconnecting-phone.ts';

/** Hertz of the tones that simulated phones and the carrier play. */
const tones = { phone: 440, carrier: 1_000 };
const maxRecoveryMs = 5_000;

let deployment: ManyNodesDeployment;
let customer: Customer;

beforeAll(async () => {
  deployment = await startManyNodes();
  customer = await addCustomer(deployment);
});
afterAll(() => deployment?.stop());

const readCall = async (id: string) => (await customer.ask('GET', `/calls/${id}`)).json;

const whenCall = (id: string, status: string) =>
  until(async () => {
    const record = await readCall(id);
    return record.status === status ? record : undefined;
  }, `the call is ${status}`);

/** Returns how long the phone has received the carrier's tone, and the carrier the phone's. */
function heardSeconds(callId: string): [number, number] {
  const { simulator } = deployment.engines;
  return [
    secondsOfTone(readWav(simulator.heard(callId, 'phone')), tones.carrier),
    secondsOfTone(readWav(simulator.heard(callId, 'carrier')), tones.phone),
  ];
}

const hearEachOther = (callId: string, seconds: number) =>
  until(() => heardSeconds(callId).every((heard) => heard >= seconds), 'audio passes both ways');

test('a phone registered at one edge is called through the other, with two-way audio', async () => {
  const { simulator } = deployment.engines;
  const line = await addLine(deployment, customer, 2, { behaviour: 'tone' });
  await untilRegistered([line], deployment);
  // Call control would use the phone's own edge, so this row names the other one.
  await deployment.query('update extension_presence set edge = 1 where extension_id = $1', [line.id]);
  const { id: callId = '' } = await placeCall(line, numberEnding('95'));
  await whenCall(callId, 'answered');
  expect(line.phone.calls().at(-1)?.callId).toBe(callId);
  await hearEachOther(callId, 2);
  await simulator.hangUpPhone(callId);
  expect(await whenCall(callId, 'ended')).toMatchObject({ ended_by: 'extension' });
});

test('EXT-08 a registration at one edge replaces that at the other: only the newest phone rings', async () => {
  const extension = await addExtension(customer);
  const who = { ...extension, domain: customer.domain };
  const [one, two] = deployment.engines.edges.map(({ place }) => place.public);
  if (!one || !two) throw new Error('Two edges are needed.');
  const first = await openSipClient({ server: one });
  const second = await openSipClient({ server: two });
  onTestFinished(async () => void (await Promise.all([first.close(), second.close()])));
  expect(statusOf(await first.register(who))).toBe(200);
  expect(statusOf(await second.register(who))).toBe(200);
  expect((await first.register(who)).startLine).toContain('403');
  const elsewhere = await openSipClient({ server: two });
  expect((await elsewhere.register({ ...who, callId: first.callId })).startLine).toContain('403');
  await elsewhere.close();
  expect(statusOf(await second.register(who))).toBe(200);

  const { id } = await placeCall({ customer, ramal: extension.ramal });
  await second.waitFor((request) => methodOf(request) === 'INVITE');
  expect(first.requests.filter((request) => methodOf(request) === 'INVITE')).toEqual([]);
  await customer.ask('POST', `/calls/${id}/hangup`);
  await whenCall(id ?? '', 'ended');
});

test('audio continues when an edge is killed during a call, and phones ring again within 5 s', async () => {
  const { simulator, edges } = deployment.engines;
  const talking = await addLine(deployment, customer, 1, { behaviour: 'tone' });
  const waiting = await addLine(deployment, customer, 1, { behaviour: 'busy' });
  await untilRegistered([talking, waiting], deployment);
  const extensions = [await addExtension(customer), await addExtension(customer)];
  const moving = await Promise.all(
    (['tcp', 'wss'] as const).map(async (transport, index) => {
      const extension = extensions[index];
      if (!extension) throw new Error('An extension is missing.');
      const phone = await openReconnectingPhone({ ...extension, domain: customer.domain }, transport, edges);
      onTestFinished(() => phone.close());
      expect(phone.edge()).toBe(1);
      return { customer, ramal: extension.ramal, phone };
    }),
  );
  const { id = '' } = await placeCall(talking, numberEnding('95'));
  await whenCall(id, 'answered');
  await hearEachOther(id, 1);

  const before = heardSeconds(id);
  const killedAtMs = Date.now();
  const restarted = edges[0]?.engine.restart('kill').then(() => Date.now());
  const backMs = await Promise.all(
    moving.map(async (line) => {
      await until(() => line.phone.edge() === 2, 'the phone is at the other edge');
      await until(async () => {
        await placeCall(line);
        await sleep(200);
        return line.phone.rungAtMs.length > 0;
      }, 'the phone rings');
      return Number(line.phone.rungAtMs[0]) - killedAtMs;
    }),
  );
  expect(Math.max(...backMs)).toBeLessThan(maxRecoveryMs);

  // Phones on UDP are unaffected: they ring again as soon as their edge has restarted.
  const backAtMs = (await restarted) ?? Number.NaN;
  await until(async () => {
    await placeCall(waiting);
    await sleep(200);
    return waiting.phone.calls().length > 0;
  }, 'the phone rings');
  const rungAtMs = waiting.phone.calls()[0]?.invitedAtMs ?? Number.NaN;
  expect(rungAtMs - backAtMs).toBeLessThan(maxRecoveryMs);

  await hearEachOther(id, Math.max(...before) + 2);
  await simulator.hangUpPhone(id);
  expect(await whenCall(id, 'ended')).toMatchObject({
    hangup_cause: 'NORMAL_CLEARING',
    ended_by: 'extension',
  });
});
