import { dirname, join } from 'node:path';
import type { SimulatedCall } from '../../../../simulator/voice/index.ts';
import { speechEnding } from '../../../../simulator/voice/tones.ts';
import type { TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import type { TestNode } from '../../harness/voice/engines.ts';
import { atCarrier, atPhone } from '../../harness/voice/lines.ts';
import { type Line, type VoicePlatform, whenCall } from '../../harness/voice/voice-platform.ts';
import { listen, type Matrix, type Party, type Phase } from './hearing.ts';

/** When a leg has to end at the latest, and why. */
export interface Limit {
  party: string;
  atMs: number;
  source: string;
  /** How much later it may end. */
  withinMs?: number;
}

/** A call from an extension (A) to a destination (B), controlled with the API. */
export interface ControlledCall {
  callId: string;
  account: TestAccount;
  /** A line that the call may be transferred to. */
  other: Line;
  parties: Map<string, Party>;
  phases: Phase[];
  /** When both parties were moved while they talked. */
  movedWhileTalking: { fromMs: number; toMs: number }[];
  limits: Limit[];
  /** Tones of the parties and of the music on hold, by name. */
  tones: Map<string, number>;
  /** Waits until what was requested has settled, and notes what the parties should hear from then on. */
  phase(name: string, expected: Matrix): Promise<void>;
  /** Sends a command and waits until the engine has carried it out. */
  command(name: Command): Promise<void>;
  /** Sends a command, which is not carried out while voice is dead. */
  request(name: Command, body?: object): Promise<ControlAnswer>;
  /** Transfers the call to a further party, or adds it, and waits until it is called. */
  invite(invited: Invited): Promise<void>;
  /** Waits until an invited party has answered. */
  join(name: string): Promise<void>;
  /** Waits until a party has left the call. */
  left(name: string): Promise<void>;
  /** Transfers the call to a number that is busy, and waits until the transfer has failed. */
  transferToBusy(): Promise<void>;
  /** How many legs the call has had. */
  legCount: number;
  whenDone(name: Command): Promise<void>;
  /** Limits a leg in the engine, as voice does after it has extended the funding. */
  limit(party: 'A' | 'B', seconds: number): Promise<void>;
  /** Returns the seconds after which the engine ends a leg. */
  secondsLeft(party: 'A' | 'B'): Promise<number>;
  /** The extension hangs up. */
  hangUp(): Promise<void>;
  /** The destination hangs up. */
  hangUpDestination(): Promise<void>;
}

export type Command =
  | 'hold'
  | 'unhold'
  | 'mute'
  | 'unmute'
  | 'transfer'
  | 'transfer/complete'
  | 'transfer/cancel'
  | 'conference';

interface Invited {
  name: string;
  how: 'blind' | 'attended' | 'conference';
  /** The extension to call instead of a number, and how long it rings. */
  line?: Line;
  ringSeconds?: number;
}

interface ControlAnswer {
  status: number;
  text: string;
  body: { status: 'accepted' | 'done'; on_hold: boolean };
}

let numbers = 0;
let tones = 0;

/** Returns a tone that no other party has: in steps of 50 Hz, which the music on hold does not use. */
function nextHertz(): number {
  tones += 1;
  return 500 + 50 * ((tones * 7) % 52);
}

/** Returns a mobile number whose carrier plays this tone. */
const numberPlaying = (hertz: number): string => nextNumber(speechEnding(hertz));

function nextNumber(ending: string): string {
  numbers = (numbers + 1) % 100;
  return `55119${String(numbers).padStart(2, '0')}${ending}`;
}

/** Places a call and waits until both parties talk. */
export async function placeCall(platform: VoicePlatform, line: Line, other: Line): Promise<ControlledCall> {
  const { simulator, node } = platform.engines;
  const { account } = line;
  const hertz = { a: nextHertz(), b: nextHertz() };
  await line.phone.behave('tone', 0, 0, String(hertz.a));
  const number = numberPlaying(hertz.b);
  const callId = await line.call(number);
  await whenCall(account, callId, 'answered');
  const first = `${callId}.a`;
  const channels = { A: first, B: await readVariable(node, first, 'DESTINATION_LEG') };
  const call: ControlledCall = {
    callId,
    account,
    other,
    parties: new Map(),
    phases: [],
    movedWhileTalking: [],
    limits: [],
    tones: new Map([['music', holdHertz]]),
    async phase(phaseName, expected) {
      call.phases.push(await listen(phaseName, expected));
    },
    legCount: 2,
    request: (name, body = {}) => account.admin.client.post(`/calls/${callId}/${name}`, body),
    invite: (invited) => invite(platform, call, invited),
    async join(joined) {
      const answeredAtMs = await until(
        () => call.parties.get(joined)?.leg().answeredAtMs,
        `${joined} answers`,
      );
      call.limits.push({ party: joined, atMs: answeredAtMs + fundedSeconds * 1_000, source: 'its own' });
    },
    async left(leaving) {
      await until(() => call.parties.get(leaving)?.leg().endedAtMs, `${leaving} leaves`);
      call.limits = call.limits.filter(({ party }) => party !== leaving);
    },
    async transferToBusy() {
      await accepted(call, 'transfer', { to: nextNumber('000017'), kind: 'blind' });
      await until(async () => {
        const { body } = await account.admin.client.get(`/calls/${callId}`);
        return body.timeline.some(({ what }: { what: string }) => what === 'transfer_failed');
      }, 'the transfer fails');
    },
    async whenDone(name) {
      await until(async () => (await call.request(name)).body.status === 'done', `${name} is done`);
    },
    async command(name) {
      const { status } = await call.request(name);
      if (status !== 200) throw new Error(`${name} returned ${status}.`);
      await call.whenDone(name);
    },
    async limit(party, limitSeconds) {
      const before = Date.now();
      await setVariable(node, channels[party], timeLimit, String(limitSeconds));
      const atMs = (before + Date.now()) / 2 + limitSeconds * 1_000;
      call.limits = [
        ...call.limits.filter((limit) => limit.party !== party),
        { party, atMs, source: 'its own' },
      ];
    },
    secondsLeft: async (party) => Number(await readVariable(node, channels[party], timeLimit)),
    hangUp: () => simulator.hangUpPhone(callId),
    hangUpDestination: () => simulator.hangUpCarrier(callId),
  };
  addParty(platform, call, { name: 'A', hertz: hertz.a }, () => atPhone(platform, callId));
  addParty(platform, call, { name: 'B', hertz: hertz.b }, () =>
    atCarrier(platform, callId).find((leg) => leg.number === number),
  );
  const atMs = (call.parties.get('B')?.leg().answeredAtMs ?? 0) + fundedSeconds * 1_000;
  call.limits.push({ party: 'A', atMs, source: 'funded' }, { party: 'B', atMs, source: 'funded' });
  return call;
}

/** Sends a command that adds a leg. */
async function accepted(call: ControlledCall, name: Command, body: object): Promise<void> {
  const { status, text } = await call.request(name, body);
  if (status !== 200) throw new Error(`${name} returned ${status}: ${text}`);
  call.legCount += 1;
}

async function invite(
  platform: VoicePlatform,
  call: ControlledCall,
  { name, how, line, ringSeconds = 0 }: Invited,
): Promise<void> {
  const { callId } = call;
  const hertz = nextHertz();
  const number = numberPlaying(hertz);
  await line?.phone.behave('tone', ringSeconds, 0, String(hertz));
  const to = line?.ramal ?? number;
  await accepted(
    call,
    how === 'conference' ? 'conference' : 'transfer',
    how === 'conference' ? { to } : { to, kind: how },
  );
  const find = line
    ? () => line.phone.calls().find((each) => each.callId === callId)
    : () => atCarrier(platform, callId).find((each) => each.number === number);
  await until(find, `${name} is called`);
  addParty(platform, call, { name, hertz }, find);
}

function addParty(
  { engines }: VoicePlatform,
  { callId, parties, tones: ofCall }: ControlledCall,
  { name, hertz }: Pick<Party, 'name' | 'hertz'>,
  find: () => SimulatedCall | undefined,
): void {
  const leg = (): SimulatedCall => {
    const found = find();
    if (!found) throw new Error(`Party ${name} of ${callId} has no leg.`);
    return found;
  };
  const heardDir = dirname(engines.simulator.heard(callId, 'phone'));
  const file = (): string => join(heardDir, `${leg().id}.wav`);
  parties.set(name, { name, hertz, leg, file });
  ofCall.set(name, hertz);
}

const fundedSeconds = 60;

/** The tone that sounds throughout the music on hold; see deploy/containers/bin/write-music. */
const holdHertz = 392;

const timeLimit = 'TIMEOUT(absolute)';

async function setVariable(node: TestNode, leg: string, name: string, value: string): Promise<void> {
  const query = new URLSearchParams({ variable: `EXPORT(${leg},${name})`, value });
  const { status } = await node.ask('POST', `/asterisk/variable?${query}`);
  if (status >= 300) throw new Error(`The engine responded ${status}.`);
}

async function readVariable(node: TestNode, leg: string, name: string): Promise<string> {
  const query = new URLSearchParams({ variable: name });
  const { body } = await node.ask('GET', `/channels/${encodeURIComponent(leg)}/variable?${query}`);
  return (body as { value: string }).value;
}
