import type { EngineEnd, LegEnd } from '../../contexts/calls/index.ts';
import { readLegCounts } from './leg-counts.ts';

/** Channel id of a leg that we originate: the call's id and the letter of the leg, which is `a` for the first one. */
const legPattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([a-z])$/;
export const letterPattern = /^[a-z]$/;
export const callIdPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the call and the letter of a leg that we originated; undefined for other channels. */
export function readLegId(channel: string): { callId: string; letter: string } | undefined {
  const [, callId, letter] = legPattern.exec(channel) ?? [];
  return callId === undefined || letter === undefined ? undefined : { callId, letter };
}

/** Returns the call whose first leg this channel is. */
export function callOfFirstLeg(channel: string): string | undefined {
  const leg = readLegId(channel);
  return leg?.letter === 'a' ? leg.callId : undefined;
}

/** Fields of a call's end, the same in the dialplan's event and in the detail record. */
export interface EndFields {
  endedAt: string | undefined;
  answeredAt: string | undefined;
  cause: string | undefined;
  /** SIP status, such as `SIP 486 Busy Here` or only the number. */
  sipStatus: string | undefined;
  dialStatus: string | undefined;
  /** `limit`, or the side that hung up. */
  endedBy: string | undefined;
  /** Counts of both legs, as `readLegCounts` takes them. */
  firstLeg: string | undefined;
  secondLeg: string | undefined;
}

export function endOfFields(fields: EndFields): EngineEnd | undefined {
  const endedOnNode = secondsOf(fields.endedAt);
  if (endedOnNode === null) return undefined;
  const status = Number(/\b[1-6]\d\d\b/.exec(fields.sipStatus ?? '')?.[0] ?? 0);
  return {
    endedOnNode,
    answeredOnNode: secondsOf(fields.answeredAt),
    cause: Number(fields.cause) || 0,
    sipStatus: status || null,
    dialStatus: fields.dialStatus ?? '',
    endedBy: sideOf(fields.endedBy ?? ''),
    legs: { first: readLegCounts(fields.firstLeg), second: readLegCounts(fields.secondLeg) },
  };
}

/** The end of one leg of a call that had a command. `endedBy` is `limit`, or `party` if its own party hung up. */
export function legEndOfFields(fields: EndFields): LegEnd | undefined {
  const end = endOfFields(fields);
  const { endedBy } = fields;
  return end && { ...end, endedBy: endedBy === 'limit' || endedBy === 'party' ? endedBy : null };
}

export function secondsOf(text: string | undefined): number | null {
  const seconds = Number(text);
  return text && Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

/** `endedBy` is empty if the engine or the controller ended the call. */
const sides = ['limit', 'extension', 'destination'] as const;

const sideOf = (endedBy: string): EngineEnd['endedBy'] => sides.find((side) => side === endedBy) ?? null;
