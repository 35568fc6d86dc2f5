import { until } from '../../harness/until.ts';
import type { ControlledCall } from './controlled-call.ts';

/** What happens to one call, before and after voice is killed. */
export interface Scene {
  name: string;
  /** Prepares the call for the kill. */
  before(call: ControlledCall): Promise<void>;
  /** Runs immediately before the kill, when all calls are prepared. */
  atKill(call: ControlledCall): Promise<void>;
  after(call: ControlledCall): Promise<void>;
}

/** Limits differ, so that legs are seen to end by their own. The consulted party would outlive the first two. */
const seconds = { consulted: 62, joined: 24, supervisor: 21, ringing: 12 };

/** A leg on hold checks after this time whether it is alone. */
const onHoldMs = 5_000;

const nothing = async (): Promise<void> => undefined;

const talking = { A: ['B'], B: ['A'] };
const onHold = { A: [], B: ['music'] };
const three = { A: ['B', 'C'], B: ['A', 'C'], C: ['A', 'B'] };
const transferred = { B: ['C'], C: ['B'] };
const listening = { A: ['B'], B: ['A'], S: ['A', 'B'] };
const whispering = { A: ['B', 'S'], B: ['A'], S: ['A', 'B'] };

const limitFromAnswer = (call: ControlledCall, party: string, limit: number): void => {
  const { answeredAtMs = 0 } = call.parties.get(party)?.leg() ?? {};
  call.limits.push({ party, atMs: answeredAtMs + limit * 1_000, source: 'its own' });
};

/** The first leg leaves; its party has heard the end before the next step. */
async function leave(call: ControlledCall): Promise<void> {
  await call.move(call.legs.a, 'leave');
  call.limits = call.limits.filter(({ party }) => party !== 'A');
  await until(() => call.parties.get('A')?.leg().endedAtMs, 'A leaves');
}

const hold: Scene = {
  name: 'hold',
  async before(call) {
    await call.phase('talk', talking);
    await call.lift('room', 'music');
    await call.phase('hold', onHold);
    await call.move(call.legs.b, 'room');
    await call.phase('resumed', talking);
    await call.move(call.legs.b, 'music');
    await call.phase('held again', onHold);
  },
  atKill: nothing,
  async after(call) {
    await call.phase('held, voice killed', onHold);
    await call.hangUp();
    call.limits = [{ party: 'B', atMs: Date.now(), source: 'none: alone on hold', withinMs: onHoldMs }];
  },
};

const attendedTransfer: Scene = {
  name: 'attended transfer',
  async before(call) {
    await call.lift('room', 'music');
    await call.invite({ name: 'C', seconds: seconds.consulted });
    await call.join('C');
    limitFromAnswer(call, 'C', seconds.consulted);
    await call.phase('consultation', { A: ['C'], B: ['music'], C: ['A'] });
    await leave(call);
    await call.engine.set(call.legs.b, 'RECORD_ON', 'wav');
    await call.move(call.legs.b, 'room');
    await call.phase('transferred', transferred);
  },
  atKill: nothing,
  after: (call) => call.phase('transferred, voice killed', transferred),
};

/** The transfer is completed by the engine: voice is killed while the new destination rings. */
const blindTransfer: Scene = {
  name: 'blind transfer',
  async before(call) {
    await call.lift('room', 'music');
    await call.phase('awaiting', onHold);
  },
  async atKill(call) {
    const variables = { FETCH: call.legs.b };
    await call.invite({ name: 'C', seconds: seconds.ringing, line: call.other, variables });
    await call.engine.set(call.legs.b, 'RECORD_ON', 'wav');
    await leave(call);
  },
  async after(call) {
    await call.join('C');
    limitFromAnswer(call, 'C', seconds.ringing);
    await call.phase('transferred, voice killed', transferred);
  },
};

const conference: Scene = {
  name: 'three parties',
  async before(call) {
    await call.phase('talk', talking);
    await call.lift('room', 'room');
    await call.phase('both in the room', talking);
    await call.invite({ name: 'C', seconds: seconds.joined });
    await call.join('C');
    limitFromAnswer(call, 'C', seconds.joined);
    await call.phase('conference', three);
    await call.engine.set(call.legs.b, 'MUTEAUDIO(in)', 'on');
    await call.phase('B muted', { ...three, A: ['C'], C: ['A'] });
    await call.engine.set(call.legs.b, 'MUTEAUDIO(in)', 'off');
  },
  atKill: nothing,
  after: (call) => call.phase('conference, voice killed', three),
};

const supervision: Scene = {
  name: 'listen and whisper',
  async before(call) {
    const variables = { TARGET: call.legs.a, SPY: '' };
    const leg = await call.invite({ name: 'S', to: 'supervise', seconds: seconds.supervisor, variables });
    await call.join('S');
    limitFromAnswer(call, 'S', seconds.supervisor);
    await call.phase('listen', listening);
    await call.engine.set(leg, 'SPY', 'w');
    await call.move(leg, 'supervise');
    await call.phase('whisper', whispering);
    await call.lift('room', 'room');
    await call.phase('whisper in the room', whispering);
  },
  atKill: nothing,
  after: (call) => call.phase('whisper, voice killed', whispering),
};

export const scenes: readonly Scene[] = [hold, attendedTransfer, blindTransfer, conference, supervision];
