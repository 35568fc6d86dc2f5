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
): Promise<Answer> => admin.client.post(`/calls/${callId}/${name}`, body);

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

/** Dials the legs that are waiting, as voice does once the legs have left their Dial. */
export async function dialWanted({ api, clock }: Platform): Promise<string[]> {
  const dialled: string[] = [];
  for (const leg of await findWantedLegs(api.base.db, lease.node))
    if (leg.state === 'pending' && (await claimLeg(api.base.db, lease, leg.id, clock.now()))) dialled.push(leg.letter);
  return dialled;
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
