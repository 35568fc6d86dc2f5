import { expect } from 'vitest';
import type { ControlledCall } from './controlled-call.ts';

/** What happens to one call, before and after voice is killed and started again. */
export interface Scene {
  name: string;
  /** Whether its legs end with their limit while voice is dead. */
  endsByLimit?: boolean;
  /** Prepares the call for the kill. */
  before(call: ControlledCall): Promise<void>;
  /** Immediately before the kill, when all calls are prepared. */
  atKill?(call: ControlledCall): Promise<void>;
  /** While voice is dead. */
  whileDead(call: ControlledCall): Promise<void>;
  /** After voice was started again, for calls that run. */
  after?(call: ControlledCall): Promise<void>;
}

/** A leg on hold checks after this time whether it is alone. */
const onHoldMs = 5_000;

const talking = { A: ['B'], B: ['A'] };
const onHold = { A: [], B: ['music'] };
const firstMuted = { A: ['B'], B: [] };
const consulting = { A: ['C'], B: ['music'], C: ['A'] };
const transferred = { B: ['C'], C: ['B'] };
const three = { A: ['B', 'C'], B: ['A', 'C'], C: ['A', 'B'] };

/** The command is accepted while voice is dead and carried out by its next process. */
const hold: Scene = {
  name: 'hold',
  async before(call) {
    await call.phase('talk', talking);
    await call.command('hold');
    await call.phase('hold', onHold);
    await call.command('unhold');
    await call.phase('resumed', talking);
    await call.command('hold');
    await call.phase('held again', onHold);
  },
  async whileDead(call) {
    await call.phase('held, voice killed', onHold);
    const answer = await call.request('unhold');
    expect(answer).toMatchObject({ status: 200, body: { status: 'accepted', on_hold: true } });
  },
  async after(call) {
    await call.whenDone('unhold');
    await call.phase('resumed, voice restarted', talking);
    await call.hangUp();
    call.limits = [{ party: 'B', atMs: Date.now(), source: 'none: alone in the room' }];
  },
};

const releasedByExtension: Scene = {
  name: 'hold, released by the extension',
  async before(call) {
    await call.command('hold');
    await call.phase('hold', onHold);
  },
  async whileDead(call) {
    await call.hangUp();
    call.limits = [{ party: 'B', atMs: Date.now(), source: 'none: alone on hold', withinMs: onHoldMs }];
  },
};

const releasedByDestination: Scene = {
  name: 'hold, released by the destination',
  async before(call) {
    await call.command('hold');
    await call.phase('hold', onHold);
  },
  async whileDead(call) {
    await call.hangUpDestination();
    call.limits = [{ party: 'A', atMs: Date.now(), source: 'none: alone in the room' }];
  },
};

const mute: Scene = {
  name: 'mute',
  endsByLimit: true,
  async before(call) {
    await call.command('mute');
    await call.phase('muted', firstMuted);
    await call.command('unmute');
    await call.phase('unmuted', talking);
    const fromMs = Date.now() - aroundMs;
    await call.command('hold');
    await call.command('unhold');
    await call.command('mute');
    call.movedWhileTalking = [{ fromMs, toMs: Date.now() }];
    await call.phase('muted in the room', firstMuted);
  },
  async whileDead(call) {
    await limitLeg(call, 'A');
    await call.phase('muted in the room, voice killed', firstMuted);
  },
};

/** The destination's leg gets the limit of the call when it is moved, and keeps its own from then on. */
const limitOnHold: Scene = {
  name: 'hold, limit of the held party',
  endsByLimit: true,
  async before(call) {
    await call.command('hold');
    const [first, second] = await Promise.all([call.secondsLeft('A'), call.secondsLeft('B')]);
    expect(second).toBeGreaterThan(0);
    expect(Math.abs(first - second)).toBeLessThan(1);
  },
  async whileDead(call) {
    await limitLeg(call, 'B');
    await call.phase('held, voice killed', onHold);
  },
};

const attendedTransfer: Scene = {
  name: 'attended transfer',
  endsByLimit: true,
  async before(call) {
    await call.invite({ name: 'C', how: 'attended' });
    await call.join('C');
    await call.phase('consultation', consulting);
    await call.command('transfer/complete');
    await call.left('A');
    await call.phase('transferred', transferred);
  },
  async whileDead(call) {
    await limitLeg(call, 'B');
    await call.phase('transferred, voice killed', transferred);
  },
};

/** The command is accepted while voice is dead and carried out by its next process. */
const completedLater: Scene = {
  name: 'attended transfer, completed later',
  async before(call) {
    await call.invite({ name: 'C', how: 'attended' });
    await call.join('C');
    await call.phase('consultation', consulting);
  },
  async whileDead(call) {
    await call.phase('consultation, voice killed', consulting);
    const answer = await call.request('transfer/complete');
    expect(answer).toMatchObject({ status: 200, body: { status: 'accepted', on_hold: true } });
  },
  async after(call) {
    await call.whenDone('transfer/complete');
    await call.left('A');
    await call.phase('transferred, voice restarted', transferred);
    await call.hangUpDestination();
    call.limits = [{ party: 'B', atMs: Date.now(), source: 'none: alone in the room' }];
  },
};

/** The engine completes the transfer: voice is killed while the called party rings. */
const blindTransfer: Scene = {
  name: 'blind transfer',
  endsByLimit: true,
  async before(call) {
    await call.phase('talk', talking);
  },
  async atKill(call) {
    await call.invite({ name: 'C', how: 'blind', line: call.other, ringSeconds: 8 });
    await call.left('A');
  },
  async whileDead(call) {
    await call.phase('awaiting, voice killed', { B: ['music'] });
    await call.join('C');
    await limitLeg(call, 'B');
    await call.phase('transferred, voice killed', transferred);
  },
};

const returned: Scene = {
  name: 'cancelled and failed transfers',
  async before(call) {
    await call.invite({ name: 'C', how: 'attended' });
    await call.join('C');
    await call.phase('consultation', consulting);
    await call.command('transfer/cancel');
    await call.left('C');
    await call.phase('cancelled', talking);
    await call.transferToBusy();
    await call.phase('failed', talking);
  },
  async whileDead(call) {
    await call.phase('returned, voice killed', talking);
    await call.hangUp();
    call.limits = [{ party: 'B', atMs: Date.now(), source: 'none: alone in the room' }];
  },
};

const conference: Scene = {
  name: 'conference',
  endsByLimit: true,
  async before(call) {
    await call.invite({ name: 'C', how: 'conference' });
    await call.join('C');
    await call.phase('conference', three);
    await call.command('hold');
    await call.phase('others on hold', { A: [], B: ['music'], C: ['music'] });
    await call.command('unhold');
  },
  async whileDead(call) {
    await limitLeg(call, 'A');
    await limitLeg(call, 'B');
    await call.phase('conference, voice killed', three);
  },
};

/** Without CONTROL_FUNDED, which ./dev control sets, legs do not use up their funded minute. */
async function limitLeg(call: ControlledCall, party: 'A' | 'B'): Promise<void> {
  if (!process.env.CONTROL_FUNDED) await call.limit(party, shortSeconds);
}

const shortSeconds = 5;

const aroundMs = 500;

export const heldCalls: readonly Scene[] = [
  hold,
  releasedByExtension,
  releasedByDestination,
  mute,
  limitOnHold,
];

export const transferredCalls: readonly Scene[] = [
  attendedTransfer,
  completedLater,
  blindTransfer,
  returned,
  conference,
];
