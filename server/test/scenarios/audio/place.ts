import { setTimeout as sleep } from 'node:timers/promises';
import { speech, speechEnding } from '../../../../simulator/voice/tones.ts';
import { until } from '../../harness/until.ts';
import type { AudioLine, Slot } from './lines.ts';
import type { Hearing, Leg, LegState } from './phone.ts';
import type { Kind, PlannedCall } from './plan.ts';
import { legOf, legOfDialler } from './softphone.ts';
import type { Stage } from './stage.ts';
import { untilHeard } from './until-heard.ts';

/** One party of a call: what it plays and what it heard. */
export interface Side {
  hertz: number;
  heard: Hearing;
  answeredAtMs: number;
  endedAtMs: number;
}

export interface TalkedCall {
  callId: string;
  line: AudioLine;
  caller: Side;
  called: Side;
  /** Tones of the calls that ran at the same time or just before. */
  otherHertz: number[];
  /** Removes what the parties recorded. */
  forget(): void;
}

interface Call {
  stage: Stage;
  slot: Slot;
  planned: PlannedCall;
  tones: { caller: number; called: number };
  /** Returns the tones of other calls, at the end of this one. */
  otherTones(): number[];
  /** Returns what a calling carrier plays, as Playtones takes it; default: the first word and its tone. */
  speechOf?: (hertz: number) => string;
  /** How long the parties talk on if one of them has not heard enough of the other. */
  talkOnSeconds?: number;
  /** Runs as soon as both parties are connected. */
  onConnected?: (callId: string, answeredAtMs: number) => Promise<void>;
}

interface Legs {
  caller: Leg;
  called: Leg;
}

/** The call was not connected. */
export class SetupError extends Error {}

const talkOnSeconds = 20;
let numbers = 0;

/** Places a call, lets both parties talk, and hangs up. */
export async function placeCall(call: Call): Promise<TalkedCall> {
  const { planned, slot, tones } = call;
  const line = lineOf(slot, planned.kind);
  const { legs, callId, answeredAtMs } = await connect(call, line).catch((error: Error) => {
    throw new SetupError(error.message);
  });
  await call.onConnected?.(callId, answeredAtMs);
  await sleep(planned.talkMs);
  const deadlineMs = Date.now() + (call.talkOnSeconds ?? talkOnSeconds) * 1_000;
  await untilHeard(legs.caller, tones.called, deadlineMs);
  await untilHeard(legs.called, tones.caller, deadlineMs);
  await legs[planned.endedBy].hangUp();
  const [caller, called] = await Promise.all([
    untilEnded(legs.caller, 'caller', callId),
    untilEnded(legs.called, 'called', callId),
  ]);
  return {
    callId,
    line,
    caller: { ...caller, hertz: tones.caller },
    called: { ...called, hertz: tones.called },
    otherHertz: call.otherTones(),
    forget() {
      legs.caller.forget();
      legs.called.forget();
    },
  };
}

function lineOf(slot: Slot, kind: Kind): AudioLine {
  const line = slot[kind];
  if (!line) throw new Error(`The slot has no ${kind} phone.`);
  return line;
}

const endSeconds = 120;

async function untilEnded(leg: Leg, who: string, callId: string): Promise<Omit<Side, 'hertz'>> {
  const ended = async (): Promise<LegState | undefined> => {
    const state = await leg.state();
    return state?.endedAtMs === undefined ? undefined : state;
  };
  const { answeredAtMs = 0, endedAtMs = 0 } = await until(
    ended,
    `the leg of the ${who} party of call ${callId} ends`,
    endSeconds,
  );
  return { heard: await leg.heard(), answeredAtMs, endedAtMs };
}

async function connect(
  call: Call,
  line: AudioLine,
): Promise<{ legs: Legs; callId: string; answeredAtMs: number }> {
  await line.record(call.planned.isRecorded);
  const legs = await begin[call.planned.shape](call, line);
  const { callId, answeredAtMs = 0 } = await until(
    () => answered(legs.called),
    'the call is answered',
    setupSeconds,
  );
  await until(() => answered(legs.caller), 'the caller is connected', setupSeconds);
  return { legs, callId, answeredAtMs };
}

async function answered({ state }: Leg): Promise<LegState | undefined> {
  const seen = await state();
  if (seen?.endedAtMs !== undefined)
    throw new Error(`The call ended early, with status ${seen.status ?? 'none'}.`);
  return seen?.answeredAtMs === undefined ? undefined : seen;
}

type Ringing = () => Leg | undefined | Promise<Leg | undefined>;

const setupSeconds = 120;

/** Waits until the leg rings. Fails as soon as the caller's leg has ended. */
const rings = (leg: Ringing, caller?: Leg): Promise<Leg> =>
  until(
    async () => {
      const ringing = await leg();
      const state = ringing ? undefined : await caller?.state();
      if (state?.endedAtMs === undefined) return ringing;
      throw new Error(`The call ended before it rang, with status ${state.status ?? 'none'}.`);
    },
    'the leg rings',
    setupSeconds,
  );

type Begin = (call: Call, line: AudioLine) => Promise<Legs>;

const begin: Record<PlannedCall['shape'], Begin> = {
  async 'click-to-call'({ stage, tones }, { customer, ramal, phone }) {
    const ringing = await phone.expectCall(tones.caller);
    const body = { caller: ramal, called: numberPlaying(tones.called), extension: ramal };
    const { status, json, fault } = await customer.ask('POST', '/calls', body);
    if (status !== 200) throw new Error(`POST /calls returned ${status} ${fault ?? JSON.stringify(json)}.`);
    const caller = await rings(ringing);
    return {
      caller,
      called: await rings(
        carrierLeg(stage, ({ callId }) => callId === json.id),
        caller,
      ),
    };
  },
  async dialled({ stage, tones }, { phone }) {
    const dialled = numberPlaying(tones.called);
    const caller = await phone.dial(dialled, tones.caller);
    return {
      caller,
      called: await rings(
        carrierLeg(stage, ({ number }) => number === dialled),
        caller,
      ),
    };
  },
  async internal({ slot, planned, tones }, { phone }) {
    const callee = lineOf(slot, planned.other);
    const ringing = await callee.phone.expectCall(tones.called);
    const caller = await phone.dial(callee.ramal, tones.caller);
    return { caller, called: await rings(ringing, caller) };
  },
  async inbound({ stage, planned, tones, speechOf = speech }, { phone, number }) {
    const ringing = await phone.expectCall(tones.called);
    const { simulator } = stage.deployment.engines;
    const route = {
      to: `+${number}`,
      from: numberPlaying(tones.caller),
      node: stage.deployment.nodes[planned.node].sipAddress,
    };
    const dialled = await simulator.callFromCarrier(route, { tones: speechOf(tones.caller) });
    const caller = legOfDialler(simulator, dialled);
    return { caller, called: await rings(ringing, caller) };
  },
};

type CarrierCall = ReturnType<Stage['deployment']['engines']['simulator']['carrierCalls']>[0];

const carrierLeg =
  ({ deployment }: Stage, matches: (call: CarrierCall) => boolean) =>
  (): Leg | undefined => {
    const { simulator } = deployment.engines;
    return legOf(simulator, () => simulator.carrierCalls().findLast(matches));
  };

/** Returns a mobile number whose carrier plays this tone; two of its digits count up. */
function numberPlaying(hertz: number): string {
  numbers = (numbers + 1) % 100;
  return `55119${String(numbers).padStart(2, '0')}${speechEnding(hertz)}`;
}
