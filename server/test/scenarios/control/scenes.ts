import { expect } from 'vitest';
import type { ControlledCall } from './controlled-call.ts';

/** What happens to one call, before and after voice is killed and started again. */
export interface Scene {
  name: string;
  /** Whether its legs end with their limit while voice is dead. */
  endsByLimit?: boolean;
  /** Prepares the call for the kill. */
  before(call: ControlledCall): Promise<void>;
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

/** Without CONTROL_FUNDED, which ./dev control sets, legs do not use up their funded minute. */
async function limitLeg(call: ControlledCall, party: 'A' | 'B'): Promise<void> {
  if (!process.env.CONTROL_FUNDED) await call.limit(party, shortSeconds);
}

const shortSeconds = 5;

const aroundMs = 500;

export const scenes: readonly Scene[] = [hold, releasedByExtension, releasedByDestination, mute, limitOnHold];
