import { addParty, type NewParty } from '../../../../src/contexts/calls/control/add-party.ts';
import { type Command, controlCall } from '../../../../src/contexts/calls/control/control-call.ts';
import {
  claimLeg,
  type EngineEnd,
  endCall,
  endLeg,
  endLostCall,
  findLegsOfCall,
  fundCall,
  fundLeg,
  type LegEnd,
  type LegReport,
  type LiveCall,
  noObserver,
  type RunningLeg,
  reportLegs,
} from '../../../../src/contexts/calls/index.ts';
import { findLiveCall } from '../../../../src/contexts/calls/lifecycle/live-call.store.ts';
import { acceptOutbound } from '../../../../src/contexts/calls/placing/accept-outbound.ts';
import { type LegStep, stepsFor } from '../../../../src/contexts/telephony/legs/leg-steps.rules.ts';
import type { Caller } from '../../../../src/platform/caller.ts';
import { Refusal } from '../../../../src/platform/errors.ts';
import { uuidv7 } from '../../../../src/platform/ids.ts';
import { readPhone } from '../../../../src/platform/phone.ts';
import type { Platform } from '../../../harness/platform.ts';
import type { Random } from '../../../scenarios/chaos/random.ts';
import { lease } from './running-call.ts';

/** What a sequence needs of its account. */
export interface Payer {
  caller: Caller;
  /** The calling extension, and two others whose phones are registered. */
  ramal: string;
  colleagues: readonly string[];
}

/** Numbers outside, each with another rate. */
export const numbers = ['5511987654321', '5521987654321', '5531987654321'] as const;

/** When a leg was connected, as the sequence decided, in milliseconds. */
interface Talk {
  number: string;
  answeredMs: number | undefined;
  endedMs: number | undefined;
}

/** The end of the funding of a leg, and how to extend it. */
interface Limit {
  letter: string;
  limitMs: number;
  renewMs: number | undefined;
  renew(): Promise<boolean>;
}

export interface Played {
  callId: string;
  legs: Map<string, Talk>;
  tally: Map<string, number>;
}

/**
 * Places a call and does random things with it until it has ended: commands, answers, ends, renewals, repeated reports, and
 * a controller that stops halfway. Returns when each leg was connected; undefined if the call was refused.
 */
export async function playSequence(
  platform: Platform,
  payer: Payer,
  random: Random,
  startMs: number,
): Promise<Played | undefined> {
  const sequence = new Sequence(platform, payer, random, startMs);
  if (!(await sequence.start())) return undefined;
  const actions = Math.floor(random.between(2, 9));
  for (let action = 0; action < actions && !sequence.isOver; action += 1) await sequence.act();
  await sequence.finish();
  return sequence;
}

class Sequence implements Played {
  callId = '';
  readonly legs = new Map<string, Talk>();
  readonly tally = new Map<string, number>();
  isOver = false;
  private nowMs: number;
  private reports: LegReport[] = [];
  private readonly platform: Platform;
  private readonly payer: Payer;
  private readonly random: Random;

  constructor(platform: Platform, payer: Payer, random: Random, startMs: number) {
    this.platform = platform;
    this.payer = payer;
    this.random = random;
    this.nowMs = startMs;
  }

  private get deps() {
    const clock = { now: () => new Date(this.nowMs) };
    const { db } = this.platform.api.base;
    return { ...this.platform.api.app, db, clock, observer: noObserver, wakeVoice: () => undefined };
  }

  private count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1);
  }

  private chance = (share: number): boolean => this.random.next() < share;

  async start(): Promise<boolean> {
    const at = new Date(this.nowMs);
    this.callId = uuidv7(at);
    const to = this.random.pick(numbers);
    const placed = await this.tried('call', () =>
      acceptOutbound(this.deps, {
        id: this.callId,
        accountId: this.payer.caller.accountId,
        at,
        kind: 'click',
        ramal: this.payer.ramal,
        destination: readPhone(to),
        calledField: 'called',
        requestedCaller: undefined,
        requestedBy: this.payer.caller.userId,
        mustOwn: false,
        metadata: {},
      }),
    );
    if (typeof placed !== 'object') return false;
    await this.platform.database.query(
      `update live_calls set state = 'answered', node = $2, claimed_at = $3::timestamptz, answered_at = $3::timestamptz, answered_on_node = $4,
              renew_at = $3::timestamptz + make_interval(secs => greatest(funded_seconds - 30, 0))
        where call_id = $1`,
      [this.callId, lease.node, at, this.nowMs / 1000],
    );
    this.legs.set('a', { number: this.payer.ramal, answeredMs: this.nowMs, endedMs: undefined });
    this.legs.set('b', { number: to, answeredMs: this.nowMs, endedMs: undefined });
    return true;
  }

  async act(): Promise<void> {
    const roll = this.random.next();
    if (roll < 0.36) await this.command();
    else if (roll < 0.66) await this.answerOne();
    else if (roll < 0.84) await this.wait(Math.floor(this.random.between(1, 40)));
    else if (roll < 0.92) await this.endOne();
    else if (roll < 0.95) await this.repeatReports();
    else if (roll < 0.965) await this.askToEnd();
    else if (roll < 0.975) await this.lose();
    // Otherwise the controller has stopped, perhaps halfway.
    if (!this.isOver && this.chance(0.9)) await this.carryOut(this.chance(0.2) ? 1 : 20);
  }

  /** Ends what is left, in a random order. */
  async finish(): Promise<void> {
    for (let attempt = 0; attempt < 30 && !this.isOver; attempt += 1) {
      await this.endOne();
      if (!this.isOver && this.chance(0.5)) await this.carryOut(20);
    }
    if (!this.isOver) throw new Error(`Call ${this.callId} does not end.`);
  }

  private async readCall(): Promise<LiveCall | undefined> {
    const { accountId } = this.payer.caller;
    return await findLiveCall(this.deps.db, { accountId, callId: this.callId });
  }

  private readLegs = (): Promise<RunningLeg[]> => findLegsOfCall(this.deps.db, this.callId);

  private async tried<Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      const result = await work();
      this.count(what);
      return result;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.count(`${what} ${error.code}`);
      return undefined;
    }
  }

  private async command(): Promise<void> {
    const by = this.random.pick(['from', 'from', 'from', 'to'] as const);
    const plain: Command[] = ['hold', 'unhold', 'mute', 'complete', 'complete', 'cancel'];
    if (this.chance(0.45)) {
      const command = this.random.pick(plain);
      await this.tried(command, () => controlCall(this.deps, this.payer.caller, this.callId, command, by));
      return;
    }
    const purpose = this.random.pick(['blind', 'attended', 'conference'] as const);
    const to = this.random.pick([...numbers, ...numbers, ...this.payer.colleagues]);
    const party: NewParty = {
      command: purpose === 'conference' ? 'conference' : 'transfer',
      purpose,
      to,
      by,
    };
    const added = await this.tried(purpose, () =>
      addParty(this.deps, this.payer.caller, this.callId, party, undefined),
    );
    const leg = added?.legs.at(-1)?.leg;
    if (leg !== undefined) this.legs.set(leg, { number: to, answeredMs: undefined, endedMs: undefined });
  }

  private async report(...reports: LegReport[]): Promise<void> {
    this.reports = reports;
    await reportLegs(this.deps.db, lease, reports);
  }

  private async repeatReports(): Promise<void> {
    await reportLegs(this.deps.db, lease, this.reports);
    const fenced = await reportLegs(this.deps.db, { ...lease, epoch: 7 }, this.reports);
    if (fenced.size > 0) throw new Error('A report of a fenced controller counted.');
    this.count('repeated reports');
  }

  private async answerOne(): Promise<void> {
    const dialled = (await this.readLegs()).filter(
      ({ state }) => state === 'dialling' || state === 'ringing',
    );
    if (dialled.length === 0) return;
    const leg = this.random.pick(dialled);
    const { id: legId, letter, purpose, fetches } = leg;
    const event = { legId, at: new Date(this.nowMs), onNode: this.nowMs / 1000 };
    if (this.chance(0.4)) await this.report({ kind: 'ringing', ...event });
    if (this.chance(0.3)) return;
    const legs = await this.readLegs();
    const fetched = legs.filter(
      ({ letter: each, place }) => purpose === 'blind' && fetches?.includes(each) && place === 'music',
    );
    const placed: LegReport[] = [
      { kind: 'answered', ...event },
      { kind: 'placed', place: 'room', ...event },
    ];
    const moved: LegReport[] = fetched.map(({ id }) => ({
      ...event,
      kind: 'placed',
      place: 'room',
      legId: id,
    }));
    await this.report(...(this.chance(0.5) ? [...placed, ...moved] : [...moved, ...placed]));
    const talk = this.legs.get(letter);
    if (talk) talk.answeredMs ??= this.nowMs;
    this.count('answered');
  }

  /** Lets time pass. Voice renews most legs in time; the engine ends the others with their funding. */
  private async wait(seconds: number): Promise<void> {
    const untilMs = this.nowMs + seconds * 1000;
    for (let step = 0; step < 40 && !this.isOver; step += 1) {
      const next = await this.nextLimit();
      if (!next || next.limitMs > untilMs) break;
      this.nowMs = Math.max(this.nowMs, Math.min(next.renewMs ?? next.limitMs, next.limitMs));
      const isRenewed =
        next.renewMs !== undefined && next.renewMs < next.limitMs && this.chance(0.8) && (await next.renew());
      if (isRenewed) {
        this.count('renewed');
        continue;
      }
      this.nowMs = next.limitMs;
      await this.endLetter(next.letter, 'limit');
    }
    this.nowMs = Math.max(this.nowMs, untilMs);
  }

  /** Returns the leg whose funding ends first. */
  private async nextLimit(): Promise<Limit | undefined> {
    const [call, legs] = await Promise.all([this.readCall(), this.readLegs()]);
    if (!call) return undefined;
    const limits: Limit[] = [];
    const isRunning = (letter: string): boolean => this.legs.get(letter)?.endedMs === undefined;
    if (isRunning('b'))
      limits.push({
        letter: 'b',
        limitMs: (call.answeredAt?.getTime() ?? 0) + call.fundedSeconds * 1000,
        renewMs: call.renewAt?.getTime(),
        renew: async () => ((await fundCall(this.deps, call))?.fundedSeconds ?? 0) > call.fundedSeconds,
      });
    for (const leg of legs)
      if (leg.fundedSeconds !== null && leg.state === 'answered' && leg.answeredAt)
        limits.push({
          letter: leg.letter,
          limitMs: leg.answeredAt.getTime() + leg.fundedSeconds * 1000,
          renewMs: leg.renewAt?.getTime(),
          renew: async () => ((await fundLeg(this.deps, leg))?.fundedSeconds ?? 0) > (leg.fundedSeconds ?? 0),
        });
    return limits.toSorted((one, other) => one.limitMs - other.limitMs)[0];
  }

  private async endOne(): Promise<void> {
    const running = [...this.legs].flatMap(([letter, { endedMs }]) => (endedMs === undefined ? letter : []));
    if (running.length === 0) return;
    await this.endLetter(this.random.pick(running), this.random.pick(['party', 'party', null]));
  }

  /** Ends a leg, or the call with all that is in its Dial, and sometimes reports it twice. */
  private async endLetter(letter: string, endedBy: LegEnd['endedBy']): Promise<void> {
    const legs = await this.readLegs();
    const leg = legs.find((each) => each.letter === letter);
    const isInDial =
      legs.every(({ place }) => place === 'dial' || place === 'none') && (!leg || leg.place === 'dial');
    if (isInDial) return await this.endWhole(endedBy);
    if (!leg || leg.state === 'ended') return;
    await this.endThis(leg, endedBy);
    this.count('ended');
  }

  private async endThis({ letter, state }: RunningLeg, endedBy: LegEnd['endedBy']): Promise<void> {
    const isAnswered = state === 'answered';
    const end: LegEnd = {
      endedOnNode: this.nowMs / 1000,
      answeredOnNode: null,
      cause: isAnswered ? 16 : 17,
      sipStatus: isAnswered ? 200 : 486,
      endedBy: isAnswered ? endedBy : null,
    };
    const report = { callId: this.callId, leg: { letter }, end, endedAt: new Date(this.nowMs) };
    const outcome = await endLeg(this.deps, lease.node, report);
    if (outcome === 'unknown') throw new Error(`Leg ${letter} of ${this.callId} was not known.`);
    const talk = this.legs.get(letter);
    if (talk) talk.endedMs ??= this.nowMs;
    this.isOver = outcome === 'last';
    if (this.chance(0.15) && (await endLeg(this.deps, lease.node, report)) !== 'unknown')
      throw new Error(`Leg ${letter} of ${this.callId} ended twice.`);
  }

  private async endWhole(endedBy: LegEnd['endedBy']): Promise<void> {
    const call = await this.readCall();
    if (!call) throw new Error(`Call ${this.callId} has ended before.`);
    const end: EngineEnd = {
      endedOnNode: this.nowMs / 1000,
      answeredOnNode: call.answeredOnNode,
      cause: 16,
      sipStatus: 200,
      dialStatus: 'ANSWER',
      endedBy: endedBy === 'party' ? 'extension' : endedBy,
    };
    const at = new Date(this.nowMs);
    if (!(await endCall(this.deps, call, end, at)))
      throw new Error(`Call ${this.callId} did not end in its Dial.`);
    if (await endCall(this.deps, call, end, at)) throw new Error(`Call ${this.callId} ended twice.`);
    this.endAll();
    this.count('ended in its Dial');
  }

  private async lose(): Promise<void> {
    const call = await this.readCall();
    if (!call || !(await endLostCall(this.deps, call, new Date(this.nowMs))))
      throw new Error(`Call ${this.callId} was not lost.`);
    this.endAll();
    this.count('lost');
  }

  private endAll(): void {
    for (const talk of this.legs.values()) talk.endedMs ??= this.nowMs;
    this.isOver = true;
  }

  private async askToEnd(): Promise<void> {
    await this.platform.database.query('update live_calls set hangup_asked_at = $2 where call_id = $1', [
      this.callId,
      new Date(this.nowMs),
    ]);
    this.count('asked to end');
  }

  /** Does what voice does, up to a number of steps, after which it stops. */
  private async carryOut(most: number): Promise<void> {
    for (let done = 0; done < most && !this.isOver; done += 1) {
      const [step] = stepsFor(await this.readLegs());
      if (!step) return;
      await this.take(step);
    }
  }

  private async take(step: LegStep): Promise<void> {
    const event = { at: new Date(this.nowMs), onNode: this.nowMs / 1000 };
    switch (step.what) {
      case 'lift':
        for (const [leg, place] of [
          [step.first, step.to.first],
          [step.second, step.to.second],
        ] as const)
          if (place === 'leave') await this.endThis(leg, null);
          else await this.report({ kind: 'placed', legId: leg.id, place, ...event });
        return;
      case 'mute':
        return await this.report({
          kind: 'muted',
          legId: step.leg.id,
          isMuted: step.leg.wantsMute,
          at: event.at,
        });
      case 'move':
        if (step.to === 'leave') return await this.endThis(step.leg, null);
        return await this.report({ kind: 'placed', legId: step.leg.id, place: step.to, ...event });
      case 'dial':
        if (!(await claimLeg(this.deps.db, lease, step.leg.id, event.at))) await this.endThis(step.leg, null);
        else if (this.chance(0.1) && (await claimLeg(this.deps.db, lease, step.leg.id, event.at)))
          throw new Error('A leg was claimed twice.');
        return;
      case 'record':
        return;
      default:
        return await this.endThis(step.leg, null);
    }
  }
}
