import { setTimeout as sleep } from 'node:timers/promises';
import type { DialledCall, SimulatedCall } from '../../../../simulator/voice/index.ts';
import { speech, speechEnding } from '../../../../simulator/voice/tones.ts';
import type { ManyNodesDeployment } from '../../harness/deployments/many-nodes.ts';
import { until } from '../../harness/until.ts';
import type { AudioLine, Slot } from './lines.ts';
import type { PlannedCall } from './plan.ts';

/** One party of a call: what it plays, and where the audio that it received is. */
export interface Side {
  hertz: number;
  heard: string;
  answeredAtMs: number;
  endedAtMs: number;
}

export interface TalkedCall {
  callId: string;
  line: AudioLine;
  caller: Side;
  called: Side;
}

interface Stage {
  deployment: ManyNodesDeployment;
  slot: Slot;
  planned: PlannedCall;
  tones: { caller: number; called: number };
  /** Runs as soon as both parties are connected. */
  onConnected?: (callId: string) => Promise<void>;
}

interface Leg {
  seen(): SimulatedCall | undefined;
  heard: string;
  hangUp(): Promise<void>;
}

/** The call was not connected. */
export class SetupError extends Error {}

let numbers = 0;

/** Places a call, lets both parties talk, and hangs up. */
export async function placeCall(stage: Stage): Promise<TalkedCall> {
  const { planned, slot, tones } = stage;
  const line = slot[planned.transport];
  const { legs, callId } = await connect(stage, line).catch((error: Error) => {
    throw new SetupError(error.message);
  });
  await stage.onConnected?.(callId);
  await sleep(planned.talkMs);
  await legs[planned.endedBy].hangUp();
  const ended = (leg: Leg) =>
    until(() => (leg.seen()?.endedAtMs ? leg.seen() : undefined), 'the leg ends', 30);
  const [caller, called] = await Promise.all([ended(legs.caller), ended(legs.called)]);
  const side = (leg: Leg, seen: SimulatedCall, hertz: number): Side => ({
    hertz,
    heard: leg.heard,
    answeredAtMs: seen.answeredAtMs ?? 0,
    endedAtMs: seen.endedAtMs ?? 0,
  });
  return {
    callId,
    line,
    caller: side(legs.caller, caller, tones.caller),
    called: side(legs.called, called, tones.called),
  };
}

async function connect(stage: Stage, line: AudioLine) {
  await line.record(stage.planned.isRecorded);
  const legs = await begin[stage.planned.shape](stage, line);
  const { callId } = await until(() => answered(legs.called), 'the call is answered', 30);
  await until(() => answered(legs.caller), 'the caller is connected', 30);
  return { legs, callId };
}

function answered({ seen }: Leg): SimulatedCall | undefined {
  const call = seen();
  if (call?.endedAtMs !== undefined)
    throw new Error(`The call ended early, with status ${call.status ?? 'none'}.`);
  return call?.answeredAtMs === undefined ? undefined : call;
}

type Begin = (stage: Stage, line: AudioLine) => Promise<{ caller: Leg; called: Leg }>;

const begin: Record<PlannedCall['shape'], Begin> = {
  async 'click-to-call'(stage, line) {
    const { customer, ramal, phone } = line;
    await phone.behave('tone', 0, 0, speech(stage.tones.caller));
    const body = { caller: ramal, called: numberPlaying(stage.tones.called), extension: ramal };
    const { status, json, fault } = await customer.ask('POST', '/calls', body);
    if (status !== 200) throw new Error(`POST /calls returned ${status} ${fault ?? JSON.stringify(json)}.`);
    const { phoneCalls, carrierCalls } = stage.deployment.engines.simulator;
    const find = (calls: SimulatedCall[]) => calls.findLast(({ callId }) => callId === json.id);
    return {
      caller: await legOf(stage, () => find(phoneCalls())),
      called: await legOf(stage, () => find(carrierCalls())),
    };
  },
  async dialled(stage, { phone }) {
    const number = numberPlaying(stage.tones.called);
    const dialled = await phone.dial(number, { tones: speech(stage.tones.caller) });
    const { carrierCalls } = stage.deployment.engines.simulator;
    const find = () => carrierCalls().findLast((call) => call.number === number);
    return { caller: legOfDialler(dialled), called: await legOf(stage, find) };
  },
  async internal(stage, { phone }) {
    const callee = stage.slot[stage.planned.other];
    await callee.phone.behave('tone', 0, 0, speech(stage.tones.called));
    const since = callee.phone.calls().length;
    const dialled = await phone.dial(callee.ramal, { tones: speech(stage.tones.caller) });
    return { caller: legOfDialler(dialled), called: await legOf(stage, () => callee.phone.calls()[since]) };
  },
  async inbound(stage, { phone, number }) {
    await phone.behave('tone', 0, 0, speech(stage.tones.called));
    const since = phone.calls().length;
    const { simulator } = stage.deployment.engines;
    const dialled = await simulator.callFromCarrier(
      {
        to: `+${number}`,
        from: numberPlaying(stage.tones.caller),
        node: stage.deployment.nodes[stage.planned.node].sipAddress,
      },
      { tones: speech(stage.tones.caller) },
    );
    return { caller: legOfDialler(dialled), called: await legOf(stage, () => phone.calls()[since]) };
  },
};

/** Returns a mobile number whose carrier plays this tone; two of its digits count up. */
function numberPlaying(hertz: number): string {
  numbers = (numbers + 1) % 100;
  return `55119${String(numbers).padStart(2, '0')}${speechEnding(hertz)}`;
}

async function legOf({ deployment }: Stage, seen: () => SimulatedCall | undefined): Promise<Leg> {
  const { side, callId } = await until(seen, 'the leg rings', 30);
  const { simulator } = deployment.engines;
  return {
    seen,
    heard: simulator.heard(callId, side),
    hangUp: () => (side === 'phone' ? simulator.hangUpPhone(callId) : simulator.hangUpCarrier(callId)),
  };
}

const legOfDialler = ({ seen, heard, hangUp }: DialledCall): Leg => ({ seen, heard, hangUp });
