import { z } from 'zod';
import type { DetailRecord } from '../../contexts/telephony/index.ts';
import { callIdPattern, endOfFields, legEndOfFields, letterPattern, readLegId } from './engine-end.ts';

const text = z.union([z.string(), z.number()]).optional();

const line = z.object({
  uniqueid: z.string(),
  end: z.union([z.string(), z.number()]).optional(),
  disposition: z.string().optional(),
  call_id: text,
  answered_at: text,
  ended_at: text,
  ended_by: text,
  dial_status: text,
  hangup_cause: text,
  sip_status: text,
  letter: text,
  leg_1: text,
  leg_2: text,
});

/**
 * Parses one CDR of the engine. An answered call produces two; the one with `ended_at` is used. A softphone that never
 * answered produces one without `ended_at`, identified by its channel. A record with `letter` is that of one leg of a call
 * that had a command.
 */
export function readDetailRecord(json: unknown): DetailRecord | undefined {
  const parsed = line.safeParse(json);
  if (!parsed.success) return undefined;
  const fields = parsed.data;
  const written = textOf(fields.call_id) ?? '';
  const leg = readLegId(fields.uniqueid);
  const callId = callIdPattern.test(written) ? written : leg?.callId;
  if (callId === undefined) return undefined;
  const wasAnswered = written !== '';
  const ended = {
    endedAt: textOf(wasAnswered ? fields.ended_at : fields.end),
    answeredAt: textOf(fields.answered_at),
    cause: textOf(fields.hangup_cause),
    sipStatus: textOf(fields.sip_status),
    dialStatus: textOf(fields.dial_status),
    endedBy: textOf(fields.ended_by),
    firstLeg: textOf(fields.leg_1),
    secondLeg: textOf(fields.leg_2),
  };
  const causeIfUnanswered = wasAnswered ? {} : { cause: causeOfDisposition[fields.disposition ?? ''] ?? 0 };
  const letter = textOf(fields.letter) || (leg && leg.letter !== 'a' ? leg.letter : '');
  if (letterPattern.test(letter)) {
    const end = legEndOfFields(ended);
    return end && { callId, letter, end: { ...end, ...causeIfUnanswered } };
  }
  const end = endOfFields(ended);
  return end && { callId, end: { ...end, ...causeIfUnanswered } };
}

const textOf = (value: string | number | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

/** Hangup cause by disposition; the record of an unanswered leg has no other cause. */
const causeOfDisposition: Record<string, number> = { BUSY: 17, 'NO ANSWER': 19, CONGESTION: 41, FAILED: 41 };
