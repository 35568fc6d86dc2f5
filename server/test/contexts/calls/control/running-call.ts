import {
  claimLeg,
  type EngineEnd,
  endLeg,
  findLegsOfCall,
  findWantedLegs,
  type LegEnd,
  type LegOutcome,
  type LegReport,
  type LiveCall,
  type RunningLeg,
  reportLegs,
} from '../../../../src/contexts/calls/index.ts';
import { type LegStep, stepsFor } from '../../../../src/contexts/telephony/legs/leg-steps.rules.ts';
import type { Place } from '../../../../src/contexts/telephony/ports.ts';
import type { Answer } from '../../../harness/client.ts';
import { answerCall, type CallingAccount, placeLive } from '../../../harness/fixtures/call-limits.ts';
import type { Platform } from '../../../harness/platform.ts';

/** The lease of the node of `answerCall`. */
export const lease = { node: 'm1', epoch: 0 };

/** The time on the clock of the node, which runs like ours. */
export const onNode = ({ clock }: Platform): number => clock.now().getTime() / 1000;

/** Lets a call be answered on a node that can control calls. */
export async function answeredCall(platform: Platform, account: CallingAccount): Promise<LiveCall> {
  platform.clock.advance(1);
  const { callId } = await placeLive(platform, account);
  const call = await answerCall(platform, callId);
  await platform.database.query('update media_nodes set controls_calls = true');
  return call;
}

export const command = (
  { admin }: Pick<CallingAccount, 'admin'>,
  callId: string,
  name: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> => admin.client.request('POST', `/calls/${callId}/${name}`, { body, headers });

type Unplaced<Report> = Report extends LegReport ? Omit<Report, 'legId' | 'at' | 'onNode'> : never;

/** Reports legs as voice does. */
export async function report(
  platform: Platform,
  leg: RunningLeg,
  ...reports: Unplaced<LegReport>[]
): Promise<boolean> {
  const more = { legId: leg.id, at: platform.clock.now(), onNode: onNode(platform) };
  const given: LegReport[] = reports.map((each) => ({ ...each, ...more }));
  return (await reportLegs(platform.api.base.db, lease, given)).has(leg.id);
}

/** Does what the commands want, as voice and the engine do, and returns which legs were moved and muted. */
export async function doWanted(platform: Platform): Promise<string[]> {
  const done: string[] = [];
  for (const leg of await findWantedLegs(platform.api.base.db, lease.node)) {
    if (leg.wantsMute !== leg.isMuted) {
      await report(platform, leg, { kind: 'muted', isMuted: leg.wantsMute });
      done.push(`${leg.letter} ${leg.wantsMute ? 'muted' : 'unmuted'}`);
    }
    if (leg.wanted !== leg.place && leg.state === 'answered' && leg.wanted !== 'leave') {
      await report(platform, leg, { kind: 'placed', place: leg.wanted });
      done.push(`${leg.letter} to ${leg.wanted}`);
    }
  }
  return done;
}

/**
 * Lets voice and the engine do what the legs of a call want, by the rules of voice, until nothing is left. Returns what was
 * done. Legs that are dialled do not answer.
 */
export async function carryOut(platform: Platform, callId: string): Promise<string[]> {
  const done: string[] = [];
  for (let round = 0; round < 20; round += 1) {
    const steps = stepsFor(await findLegsOfCall(platform.api.base.db, callId));
    if (steps.length === 0) return done;
    for (const step of steps) done.push(...(await take(platform, callId, step)));
  }
  throw new Error(`The legs of ${callId} do not settle: ${done.join(', ')}.`);
}

async function take(platform: Platform, callId: string, step: LegStep): Promise<string[]> {
  const { db } = platform.api.base;
  switch (step.what) {
    case 'lift':
      await place(platform, callId, step.first, step.to.first);
      await place(platform, callId, step.second, step.to.second);
      return [`a to ${step.to.first}`, `b to ${step.to.second}`];
    case 'move':
      await place(platform, callId, step.leg, step.to);
      return [`${step.leg.letter} to ${step.to}`];
    case 'mute':
      await report(platform, step.leg, { kind: 'muted', isMuted: step.leg.wantsMute });
      return [`${step.leg.letter} ${step.leg.wantsMute ? 'muted' : 'unmuted'}`];
    case 'dial': {
      const { letter, id } = step.leg;
      if (await claimLeg(db, lease, id, platform.clock.now())) return [`dial ${letter}`];
      await endOf(platform, callId, letter, notAnswered);
      return [`drop ${letter}`];
    }
    case 'drop':
    case 'hang-up':
      await endOf(platform, callId, step.leg.letter, step.leg.state === 'answered' ? byVoice : notAnswered);
      return [`end ${step.leg.letter}`];
    case 'record':
      return [];
  }
}

async function place(platform: Platform, callId: string, leg: RunningLeg, to: Place): Promise<void> {
  if (to === 'leave') await endOf(platform, callId, leg.letter, byVoice);
  else await report(platform, leg, { kind: 'placed', place: to });
}

/** The engine's reports of a leg that voice ended, and of one that was cancelled. */
const byVoice = { endedBy: null } as const;
export const notAnswered = { endedBy: null, sipStatus: 487 } as const;
/** The engine's report of a leg whose party is busy. */
export const isBusy = { endedBy: null, cause: 17, sipStatus: 486 } as const;

/** Lets the party of a dialled leg answer. The engine connects it, and fetches the legs that await it in a blind transfer. */
export async function answer(platform: Platform, callId: string, letter = 'c'): Promise<string[]> {
  const leg = await legOf(platform, callId, letter);
  await report(platform, leg, { kind: 'answered' }, { kind: 'placed', place: 'room' });
  const legs = await findLegsOfCall(platform.api.base.db, callId);
  if (leg.purpose === 'blind')
    for (const each of legs)
      if (leg.fetches?.includes(each.letter) && each.state === 'answered')
        await report(platform, each, { kind: 'placed', place: 'room' });
  return await carryOut(platform, callId);
}

export async function ring(platform: Platform, callId: string, letter = 'c'): Promise<string[]> {
  await report(platform, await legOf(platform, callId, letter), { kind: 'ringing' });
  return await carryOut(platform, callId);
}

/** Lets a leg end, and voice do what follows from it. */
export async function end(
  platform: Platform,
  callId: string,
  letter: string,
  changes: Partial<LegEnd> = {},
): Promise<string[]> {
  await endOf(platform, callId, letter, changes);
  return await carryOut(platform, callId);
}

/** Reports the end of a leg by its party. */
export async function endOf(
  platform: Platform,
  callId: string,
  letter: string,
  changes: Partial<LegEnd> = {},
): Promise<LegOutcome> {
  const end: LegEnd = {
    endedOnNode: onNode(platform),
    answeredOnNode: null,
    cause: 16,
    sipStatus: 200,
    endedBy: 'party',
    ...changes,
  };
  return await endLeg(platform.api.base, lease.node, {
    callId,
    leg: { letter },
    end,
    endedAt: platform.clock.now(),
  });
}

export async function legOf(platform: Platform, callId: string, letter: string): Promise<RunningLeg> {
  const legs = await findLegsOfCall(platform.api.base.db, callId);
  const leg = legs.find((each) => each.letter === letter);
  if (!leg) throw new Error(`The call has no leg ${letter}.`);
  return leg;
}

/** The engine's report of the end of a call that the extension ended. */
export const endInDial = (platform: Platform, call: LiveCall): EngineEnd => ({
  endedOnNode: onNode(platform),
  answeredOnNode: call.answeredOnNode,
  cause: 16,
  sipStatus: 200,
  dialStatus: 'ANSWER',
  endedBy: 'extension',
});
