import type { EngineEnd } from '../../contexts/calls/index.ts';

/** Channel id of the first leg of a call that we originate: the call's id and `.a`. */
export const legPattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.a$/;
export const callIdPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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
  };
}

export function secondsOf(text: string | undefined): number | null {
  const seconds = Number(text);
  return text && Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

/** `endedBy` is empty if the engine or the controller ended the call. */
const sides = ['limit', 'extension', 'destination'] as const;

const sideOf = (endedBy: string): EngineEnd['endedBy'] => sides.find((side) => side === endedBy) ?? null;
