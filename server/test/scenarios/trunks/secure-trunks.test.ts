import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SimulatedCall } from '../../../../simulator/voice/index.ts';
import { asText, simulatorAddress } from '../../../../tools/dev/voice/cell.ts';
import { listTrunks } from '../../../src/contexts/telephony/index.ts';
import { endpointName, isGuarded } from '../../../src/contexts/telephony/trunks/trunk-endpoint.rules.ts';
import { readBalance } from '../../harness/fixtures/billing.ts';
import { assignNumber, finalStatus, freshNumber, listedCalls } from '../../harness/fixtures/dialled-calls.ts';
import { openOperator, type TestOperator } from '../../harness/operator.ts';
import { runOperator } from '../../harness/operator-cli.ts';
import type { TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { atCarrier, liftCaps, numberEnding } from '../../harness/voice/lines.ts';
import { whenHeard } from '../../harness/voice/tones.ts';
import {
  type Line,
  startVoicePlatform,
  type VoicePlatform,
  whenCall,
} from '../../harness/voice/voice-platform.ts';

const ours = { user: 'disca-001', password: 'outbound-Secret-1' };
const theirs = { user: 'carrier-a', password: 'inbound-Secret-0001' };
const dir = mkdtempSync(join(tmpdir(), 'disca-trunks-'));
let platform: VoicePlatform;
let operator: TestOperator;
let account: TestAccount;
let line: Line;
let number: string;

/** A carrier that demands our credentials and SRTP, over TLS, and a media node with a separate address for carriers. */
beforeAll(async () => {
  platform = await startVoicePlatform({ engines: { carrierSide: true } });
  operator = openOperator(platform);
  const { simulator, node } = platform.engines;
  await simulator.demand(node.carriers.sip.address, { login: ours, srtp: true });
  await disca('trunk', 'remove', 'simulator');
  const add = ['--mode', 'test', '--address', simulator.carrierTls, '--caller-id', '551130000000'];
  const protection = ['--transport', 'tls', '--srtp', 'on', '--user', ours.user];
  await disca('trunk', 'add', 'secure', ...add, ...protection, '--password-file', fileOf(ours.password));
  await whenApplied();
  account = await platform.addAccount();
  await liftCaps(platform, account);
  number = freshNumber();
  await assignNumber(platform, account, number);
  line = await platform.addLine(account, { extension: { bina: number }, phone: { behaviour: 'tone' } });
});
afterAll(async () => {
  await operator?.close();
  await platform?.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Runs an operator command, and returns its output. */
async function disca(...args: string[]): Promise<string> {
  const { code, out, err } = await runOperator(platform, args);
  expect(err, args.join(' ')).toBe('');
  expect(code, out).toBe(0);
  return out;
}

function fileOf(password: string): string {
  const file = join(dir, password);
  writeFileSync(file, `${password}\n`);
  return file;
}

/** Waits until the media node has the settings of the only trunk. */
async function whenApplied(): Promise<void> {
  const [trunk] = await listTrunks(operator);
  if (!trunk) throw new Error('There is no trunk.');
  const { node } = platform.engines;
  const source = simulatorAddress(platform.engines.cell).address;
  const read = async (path: string) => {
    const { status, body } = await node.ask('GET', `/asterisk/config/dynamic/res_pjsip/${path}`);
    return status === 200 ? (body as { attribute: string; value: string }[]) : [];
  };
  await until(async () => {
    const endpoint = await read(`endpoint/${endpointName(trunk)}`);
    const identify = await read(`identify/0-${source}`);
    const used = identify.find(({ attribute }) => attribute === 'endpoint')?.value;
    return endpoint.length > 0 && used === (isGuarded(trunk) ? endpointName(trunk) : undefined);
  }, 'the media node has the trunk');
}

const callIn = (
  way: Parameters<VoicePlatform['engines']['simulator']['callFromCarrier']>[0]['way'],
  node?: string,
) => {
  const { simulator, node: media } = platform.engines;
  const { sip, tls } = media.carriers;
  return simulator.callFromCarrier({
    to: number,
    from: '5521988887777',
    node: node ?? asText(way?.transport === 'tls' ? tls : sip),
    ...(way ? { way } : {}),
  });
};

/** Expects that a call from outside is rejected with this status, and leaves no trace of ringing or a record. */
async function expectRefused(status: number, ...call: Parameters<typeof callIn>): Promise<void> {
  const rung = line.phone.calls().length;
  const listed = (await listedCalls(account)).length;
  expect(await finalStatus(await callIn(...call))).toBe(status);
  expect(line.phone.calls()).toHaveLength(rung);
  expect(await listedCalls(account)).toHaveLength(listed);
}

async function expectConnected(...call: Parameters<typeof callIn>): Promise<void> {
  const { simulator } = platform.engines;
  const dialled = await callIn(...call);
  await dialled.answered();
  const rung = line.phone.calls().at(-1) as SimulatedCall;
  await Promise.all([whenHeard(dialled.heard, 440), whenHeard(simulator.heard(rung.callId, 'phone'), 1_000)]);
  await dialled.hangUp();
  expect(await whenCall(account, rung.callId, 'ended')).toMatchObject({ call_type: 'inbound', to: number });
}

test('CALL-59 CALL-62 a call over TLS with SRTP and a password has audio in both directions', async () => {
  const { simulator, node } = platform.engines;
  const id = await line.call(numberEnding('95'));
  await whenCall(account, id, 'answered');
  await Promise.all([
    whenHeard(simulator.heard(id, 'carrier'), 440),
    whenHeard(simulator.heard(id, 'phone'), 1_000),
  ]);
  const [leg] = atCarrier(platform, id);
  expect(leg?.identity.contact.toLowerCase()).toContain(`@${asText(node.carriers.tls)};transport=tls`);
  await simulator.hangUpPhone(id);
  const ended = await whenCall(account, id, 'ended');
  expect(ended).toMatchObject({ hangup_cause: 'NORMAL_CLEARING', ended_by: 'extension' });
  expect(ended.duration).toBeGreaterThan(0);
  expect(await disca('trunk', 'test', 'secure', numberEnding('16'))).toMatch(/^secure: answered/);
});

test('CALL-59 a carrier that refuses our password ends the call without a price', async () => {
  const password = fileOf('not-the-password');
  await disca('trunk', 'set', 'secure', '--user', ours.user, '--password-file', password);
  await whenApplied();
  const before = await readBalance(account);
  const id = await line.call(numberEnding('95'));
  const ended = await whenCall(account, id, 'ended');
  expect(ended).toMatchObject({
    hangup_cause: 'CALL_REJECTED',
    ended_by: 'destination',
    duration: 0,
    answered_at: null,
    call_price: 0,
  });
  expect(atCarrier(platform, id)).toEqual([]);
  expect(await readBalance(account)).toEqual(before);
  const tested = await runOperator(platform, ['trunk', 'test', 'secure', numberEnding('16')]);
  expect(tested).toMatchObject({ code: 1, out: expect.stringMatching(/^secure: rejected\. SIP 401/) });

  await disca('trunk', 'set', 'secure', '--user', ours.user, '--password-file', fileOf(ours.password));
  await whenApplied();
  expect(await disca('trunk', 'test', 'secure', numberEnding('16'))).toMatch(/^secure: answered/);
});

test('CALL-60 a plain INVITE from the address of a trunk over TLS rings no phone', async () => {
  const { node } = platform.engines;
  await expectRefused(488, undefined);
  await expectRefused(488, undefined, node.sipAddress);
  // Neither SRTP over UDP nor TLS without SRTP is enough.
  await expectRefused(404, { srtp: true });
  await expectRefused(404, { srtp: true }, node.sipAddress);
  await expectRefused(488, { transport: 'tls' });
  await expectConnected({ transport: 'tls', srtp: true });
});

test('CALL-60 a trunk with an inbound password refuses calls without it', async () => {
  const password = fileOf(theirs.password);
  await disca('trunk', 'set', 'secure', '--inbound-user', theirs.user, '--inbound-password-file', password);
  await whenApplied();
  const secure = { transport: 'tls', srtp: true } as const;
  await expectRefused(401, undefined);
  await expectRefused(401, secure);
  await expectRefused(401, { ...secure, login: { ...theirs, password: 'another-Secret-0001' } });
  await expectRefused(401, { ...secure, login: { ...theirs, user: 'another' } });
  await expectRefused(404, { srtp: true, login: theirs });
  await expectConnected({ ...secure, login: theirs });
});

test('CALL-61 no password of a trunk is in the database, a log, a file of the node or an output', async () => {
  const outputs = [await disca('trunk', 'list'), await disca('trunk', 'list', '--json')];
  const rows = await platform.database.query<{ text: string }>(
    'select to_jsonb(t)::text as text from trunks t',
  );
  const { engine } = platform.engines.node;
  const files = readdirSync(engine.dir, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !file.name.endsWith('.wav'))
    .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
  const texts = [...outputs, ...rows.map(({ text }) => text), ...platform.logLines, ...files];
  expect(files.length).toBeGreaterThan(20);
  for (const password of [ours.password, theirs.password, 'not-the-password'])
    expect(texts.filter((text) => text.includes(password))).toEqual([]);
});

test('CALL-60 over UDP, the password alone is demanded, and without one the address is enough', async () => {
  const { carrier } = platform.engines.simulator;
  const overUdp = ['--address', carrier, '--transport', 'udp', '--srtp', 'off', '--no-user'];
  await disca('trunk', 'set', 'secure', ...overUdp);
  await whenApplied();
  await expectRefused(401, undefined);
  await expectConnected({ login: theirs });
  await disca('trunk', 'set', 'secure', '--no-inbound-user');
  await whenApplied();
  await expectConnected(undefined);
});
