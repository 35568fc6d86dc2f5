import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SimulatedCall } from '../../../../simulator/voice/index.ts';
import { type EdgeFixture, edgeLogin, readPresence, startEdges } from '../edge/edge.ts';
import type { Credentials } from '../edge/sip-client.ts';
import { chooseCell, type Engines, nodeAddress, startEngines } from './engines.ts';
import { durationSeconds, readClosedWav, secondsOfTone, whenHeard } from './tones.ts';

interface DetailRecord {
  call_id: string;
  answered_at: string;
  ended_at: string;
  ended_by: string;
  dial_status: string;
  hangup_cause: string;
  sip_status: string;
  trunk: string;
}

const timeoutMs = 120_000;
const pollMs = 25;

let fixture: EdgeFixture;
let engines: Engines;
let ramals = 1000;
let calls = 0;

beforeAll(async () => {
  fixture = await startEdges();
  const cell = await chooseCell();
  const [address = '', port] = nodeAddress(cell).split(':');
  await fixture.addMediaNode({ address, port: Number(port) });
  engines = await startEngines({
    cell,
    edgeDatabaseUrl: await edgeLogin(fixture.database),
    controlUrl: 'ws://127.0.0.1:9/control',
    nodeSecret: 'an unused secret',
  });
});
afterAll(async () => {
  await engines?.stop();
  await fixture?.close();
});

async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const value = await look();
    if (value) return value;
    await sleep(pollMs);
  }
  throw new Error(`${what} did not happen within ${timeoutMs} ms.`);
}

async function registerPhone(
  options: Partial<Parameters<Engines['simulator']['addPhone']>[0]> = {},
): Promise<{
  phone: Awaited<ReturnType<Engines['simulator']['addPhone']>>;
  extension: Credentials;
}> {
  ramals += 1;
  const extension = await fixture.addExtension(String(ramals));
  const phone = await engines.simulator.addPhone({
    ramal: extension.ramal,
    domain: extension.domain,
    password: extension.senha,
    edge: engines.edgeAddress,
    ...options,
  });
  await until(
    'The registration',
    async () => (await readPresence(fixture.database, extension))?.isRegistered,
  );
  return { phone, extension };
}

/** Starts a call as the controller does, and returns its id. */
async function dial(
  extension: Credentials,
  number: string,
  more: Record<string, string> = {},
): Promise<string> {
  calls += 1;
  const callId = `call-${calls}`;
  const answer = await engines.node.ask('POST', `/channels/${callId}.a`, {
    endpoint: `PJSIP/edge-1-plain/sip:${extension.ramal}@${extension.domain}`,
    context: 'c2c',
    extension: 's',
    priority: 1,
    timeout: 30,
    variables: {
      __CALL_ID: callId,
      DEST: number,
      CLI: '551130001234',
      RING: '30',
      FUNDED: '30',
      RECORD: '',
      TRUNK_1: engines.simulator.carrier,
      TRUNK_2: '',
      'PJSIP_HEADER(add,X-Disca-Call-Id)': callId,
      ...more,
    },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return callId;
}

const findRecord = (callId: string): DetailRecord | undefined =>
  readFileSync(engines.node.detailRecords, 'utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as DetailRecord)
    .find((record) => record.call_id === callId && record.ended_at !== '');

const atCarrier = (callId: string): SimulatedCall | undefined =>
  engines.simulator.carrierCalls().find((call) => call.callId === callId);

test('a softphone registers and its call is recorded with its headers', async () => {
  const { phone, extension } = await registerPhone({ behaviour: 'reject' });
  await dial(extension, '551130000016', {
    'PJSIP_HEADER(add,Alert-Info)': 'info=alert-autoanswer;delay=0',
    'PJSIP_HEADER(add,Call-Info)': 'answer-after=0',
  });
  const call = await until('The call', () => phone.calls().find((each) => each.endedAtMs));
  expect(call).toMatchObject({
    callId: `call-${calls}`,
    alertInfo: 'info=alert-autoanswer;delay=0',
    callInfo: 'answer-after=0',
    notAfter: '',
    endedBy: 'self',
  });
});

test('the carrier behaves as the last two digits of the number select', async () => {
  const { extension } = await registerPhone();
  const expected: Record<string, Partial<DetailRecord>> = {
    '01': { sip_status: '404', hangup_cause: '1', answered_at: '' },
    '17': { sip_status: '486', hangup_cause: '17', dial_status: 'BUSY' },
    '18': { sip_status: '480', answered_at: '' },
    '19': { sip_status: '180', hangup_cause: '19', dial_status: 'NOANSWER', ended_by: '' },
    '21': { sip_status: '603', hangup_cause: '21' },
    '22': { sip_status: '410', hangup_cause: '22' },
    '28': { sip_status: '484', hangup_cause: '28' },
    '34': { sip_status: '503', hangup_cause: '34' },
    '41': { sip_status: '500', ended_by: 'destination' },
    '99': { sip_status: '200', hangup_cause: '16', ended_by: 'destination', dial_status: 'ANSWER' },
  };
  const placed = new Map<string, string>();
  for (const ending of Object.keys(expected))
    placed.set(ending, await dial(extension, `5511300000${ending}`, ending === '19' ? { RING: '5' } : {}));
  for (const [ending, callId] of placed) {
    const record = await until(`The end of ${ending}`, () => findRecord(callId));
    expect(record, ending).toMatchObject(expected[ending] ?? {});
  }
  const dropped = atCarrier(placed.get('99') ?? '');
  expect((dropped?.endedAtMs ?? 0) - (dropped?.answeredAtMs ?? 0)).toBeGreaterThan(4_800);
  expect(dropped).toMatchObject({ number: '551130000099', from: '551130001234', endedBy: 'self' });
});

test('audio passes both ways and the recording contains both', async () => {
  const { extension } = await registerPhone({ behaviour: 'tone' });
  const callId = await dial(extension, '551130000095', { RECORD: 'wav', FUNDED: '300' });
  await until('The answer', () => atCarrier(callId)?.answeredAtMs);
  await whenHeard(engines.simulator.heard(callId, 'carrier'), 440, 3);
  await whenHeard(engines.simulator.heard(callId, 'phone'), 1_000, 3);
  await engines.simulator.hangUpPhone(callId);
  const record = await until('The end', () => findRecord(callId));
  const atDestination = await readClosedWav(engines.simulator.heard(callId, 'carrier'));
  const atPhone = await readClosedWav(engines.simulator.heard(callId, 'phone'));
  const recording = await readClosedWav(`${engines.node.recordingsDir}/${callId}.wav`);
  expect(secondsOfTone(atDestination, 440)).toBeGreaterThan(2);
  expect(secondsOfTone(atPhone, 1_000)).toBeGreaterThan(2);
  expect(secondsOfTone(recording, 440, 0.2)).toBeGreaterThan(2);
  expect(secondsOfTone(recording, 1_000, 0.2)).toBeGreaterThan(2);
  const talkedSeconds = Number(record.ended_at) - Number(record.answered_at);
  expect(durationSeconds(recording)).toBeLessThanOrEqual(talkedSeconds + 0.2);
  expect(record).toMatchObject({ ended_by: 'extension', hangup_cause: '16' });
});

test('dials the second trunk only when the first fails before anything rings', async () => {
  const { extension } = await registerPhone();
  const failing = await dial(extension, '551130000041', {
    TRUNK_2: engines.simulator.carrier,
    CLI_2: '551130005678',
  });
  const busy = await dial(extension, '551130000017', { TRUNK_2: engines.simulator.carrier });
  const silent = await dial(extension, '551130000016', {
    TRUNK_1: `${engines.cell.network}.200:${engines.cell.port}`,
    TRUNK_2: engines.simulator.carrier,
    FUNDED: '1',
  });
  expect(await until('The end', () => findRecord(failing))).toMatchObject({ trunk: '2', sip_status: '500' });
  expect(await until('The end', () => findRecord(busy))).toMatchObject({ trunk: '1' });
  const shown = engines.simulator.carrierCalls().filter((call) => call.callId === failing);
  expect(shown.map((call) => call.from)).toEqual(['551130001234', '551130005678']);
  expect(await until('The end', () => findRecord(silent))).toMatchObject({
    trunk: '2',
    ended_by: 'limit',
    hangup_cause: '16',
  });
});

test('a phone hangs up, answers late and unregisters on command', async () => {
  const { phone, extension } = await registerPhone({ answerAfterSeconds: 1 });
  const callId = await dial(extension, '551130000016');
  const call = await until('The answer', () =>
    atCarrier(callId)?.answeredAtMs ? phone.calls()[0] : undefined,
  );
  expect((call.answeredAtMs ?? 0) - call.invitedAtMs).toBeGreaterThan(900);
  await engines.simulator.pressDigits(callId, '12');
  await engines.simulator.hangUpPhone(callId);
  expect(await until('The end', () => findRecord(callId))).toMatchObject({ ended_by: 'extension' });
  await phone.remove();
  await until(
    'The unregistration',
    async () => !(await readPresence(fixture.database, extension))?.isRegistered,
  );
});
