import { dirname, join } from 'node:path';
import type { SimulatedCall } from '../../../../simulator/voice/index.ts';
import { speechEnding } from '../../../../simulator/voice/tones.ts';
import { until } from '../../harness/until.ts';
import { atCarrier, atPhone } from '../../harness/voice/lines.ts';
import { type Line, type VoicePlatform, whenCall } from '../../harness/voice/voice-platform.ts';
import { commandsOf, type EngineCommands, holdHertz, type Place } from './engine-commands.ts';
import { listen, type Matrix, type Party, type Phase } from './hearing.ts';

/** When a leg has to end at the latest, and why. */
export interface Limit {
  party: string;
  atMs: number;
  source: string;
  /** How much later it may end. */
  withinMs?: number;
}

export interface Stage {
  platform: VoicePlatform;
  /** Seconds to which the first leg of each call is limited; undefined: to its funded time. */
  limitSeconds: number | undefined;
}

/** A call from an extension (A) to a destination (B), with the requests that the controller would send. */
export interface ControlledCall {
  callId: string;
  engine: EngineCommands;
  /** A line that the call may be transferred to. */
  other: Line;
  /** Names of the legs in the engine. */
  legs: { a: string; b: string };
  parties: Map<string, Party>;
  phases: Phase[];
  /** When both parties were moved while they talked. */
  movedWhileTalking: { fromMs: number; toMs: number }[];
  limits: Limit[];
  /** Tones of the parties and of the music on hold, by name. */
  tones: Map<string, number>;
  /** Waits until what was requested has settled, and notes what the parties should hear from then on. */
  phase(name: string, expected: Matrix): Promise<void>;
  lift(first: Place, second: Place): Promise<void>;
  move(leg: string, to: Place): Promise<void>;
  /** Dials one more party over the trunk or on an extension, with its own limit from its answer on. */
  invite(invited: Invited): Promise<string>;
  /** Waits until an invited party has answered. */
  join(name: string): Promise<void>;
  /** The extension hangs up. */
  hangUp(): Promise<void>;
}

interface Invited {
  name: string;
  to?: Place;
  seconds: number;
  /** The extension to ring, instead of a number. */
  line?: Line;
  variables?: Record<string, string>;
}

let numbers = 0;
let tones = 0;

/** Returns a tone that no other party has: in steps of 50 Hz, and never the music on hold. */
function nextHertz(): number {
  for (;;) {
    tones += 1;
    const hertz = 500 + 50 * ((tones * 7) % 52);
    if (Math.abs(hertz - holdHertz) > 50) return hertz;
  }
}

/** Returns a mobile number whose carrier plays this tone. */
function numberPlaying(hertz: number): string {
  numbers = (numbers + 1) % 100;
  return `55119${String(numbers).padStart(2, '0')}${speechEnding(hertz)}`;
}

/** Places a call and waits until both parties talk. */
export async function placeCall(stage: Stage, line: Line, other: Line): Promise<ControlledCall> {
  const { platform, limitSeconds } = stage;
  const { simulator, node } = platform.engines;
  const engine = commandsOf(node);
  const hertz = { a: nextHertz(), b: nextHertz() };
  await line.phone.behave('tone', 0, 0, String(hertz.a));
  const number = numberPlaying(hertz.b);
  const callId = await line.call(number);
  await whenCall(line.account, callId, 'answered');
  const first = `${callId}.a`;
  const legs = { a: first, b: await engine.read(first, 'DESTINATION_LEG') };
  const call: ControlledCall = {
    callId,
    engine,
    other,
    legs,
    parties: new Map(),
    phases: [],
    movedWhileTalking: [],
    limits: [],
    tones: new Map([['music', holdHertz]]),
    async phase(phaseName, expected) {
      call.phases.push(await listen(phaseName, expected));
    },
    async lift(to, second) {
      const fromMs = Date.now() - aroundMs;
      if (to === 'room' && second === 'room')
        call.movedWhileTalking.push({ fromMs, toMs: fromMs + 3 * aroundMs });
      await engine.lift(callId, legs.b, { first: to, second });
      if (to !== 'leave') await engine.whenIn(legs.a, applicationOf[to]);
      await engine.whenIn(legs.b, applicationOf[second]);
    },
    async move(leg, to) {
      await engine.move(callId, leg, to);
      if (to !== 'leave') await engine.whenIn(leg, applicationOf[to]);
    },
    invite: (invited) => invite(platform, call, invited),
    async join(joined) {
      const { leg } = call.parties.get(joined) ?? {};
      await until(() => leg?.().answeredAtMs, `${joined} answers`);
    },
    hangUp: () => simulator.hangUpPhone(callId),
  };
  addParty(platform, call, { name: 'A', hertz: hertz.a }, () => atPhone(platform, callId));
  addParty(platform, call, { name: 'B', hertz: hertz.b }, () =>
    atCarrier(platform, callId).find((leg) => leg.number === number),
  );
  await limitFirst(call, limitSeconds);
  return call;
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

/** How long an invited extension rings. */
const extensionRingsSeconds = 6;

async function invite(
  platform: VoicePlatform,
  call: ControlledCall,
  { name, to = 'room', seconds, line, variables = {} }: Invited,
): Promise<string> {
  const { callId, engine } = call;
  const hertz = nextHertz();
  const called = numberPlaying(hertz);
  const leg = `${callId}.${name.toLowerCase()}`;
  await line?.phone.behave('tone', extensionRingsSeconds, 0, String(hertz));
  const endpoint = line
    ? `PJSIP/edge-1-plain/sip:${line.ramal}@${line.account.domain}`
    : `PJSIP/carrier/sip:${called}@${platform.engines.simulator.carrier}`;
  await engine.invite(leg, endpoint, to, {
    CALL_ID: callId,
    LIMIT: String(seconds),
    // Counts as a leg of the call while it rings, so that a party that awaits it is not alone.
    ...(to === 'supervise' ? {} : { 'GROUP(call)': callId }),
    'PJSIP_HEADER(add,X-Disca-Call-Id)': callId,
    ...variables,
  });
  const find = line
    ? () => line.phone.calls().find((each) => each.callId === callId)
    : () => atCarrier(platform, callId).find((each) => each.number === called);
  await until(find, `${name} rings`);
  addParty(platform, call, { name, hertz }, find);
  return leg;
}

const applicationOf: Record<Place, string> = {
  room: 'ConfBridge',
  music: 'MusicOnHold',
  supervise: 'ChanSpy',
  leave: '',
};

const aroundMs = 500;
const fundedSeconds = 60;

/** Notes when the legs of the placed call have to end. */
async function limitFirst(call: ControlledCall, seconds: number | undefined): Promise<void> {
  let atMs = (call.parties.get('B')?.leg().answeredAtMs ?? 0) + fundedSeconds * 1_000;
  if (seconds !== undefined) {
    const before = Date.now();
    await call.engine.set(call.legs.a, 'TIMEOUT(absolute)', String(seconds));
    atMs = (before + Date.now()) / 2 + seconds * 1_000;
  }
  call.limits.push({ party: 'A', atMs, source: 'its own' }, { party: 'B', atMs, source: "A's at the move" });
}
