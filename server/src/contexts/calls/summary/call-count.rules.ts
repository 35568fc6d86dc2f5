import type { Condition } from '../../../platform/filter/index.ts';

export const dayMs = 86_400_000;
const endOfTimeMs = Date.UTC(9999, 11, 31);

/** Calls that started in [from, until), in one status or any. */
export interface Stretch {
  fromMs: number;
  untilMs: number;
  status: string | undefined;
}

/** The range selected by the conditions, if they test only the start time and a status. */
export function stretchOf(conditions: Condition[]): Stretch | undefined {
  const stretch: Stretch = { fromMs: 0, untilMs: endOfTimeMs, status: undefined };
  for (const condition of conditions) if (!narrow(stretch, condition)) return undefined;
  return stretch;
}

function narrow(stretch: Stretch, condition: Condition): boolean {
  if (condition.kind !== 'compare') return false;
  const { target, operator, value } = condition;
  if (target.field.name === 'status') {
    if (operator !== 'eq' || stretch.status !== undefined) return false;
    stretch.status = String(value);
    return true;
  }
  if (target.field.name !== 'started_at' || operator === 'neq') return false;
  const ms = Date.parse(String(value));
  const isAfter = operator === 'gt' || operator === 'lte' ? 1 : 0;
  if (operator !== 'lt' && operator !== 'lte') stretch.fromMs = Math.max(stretch.fromMs, ms + isAfter);
  if (operator === 'eq') stretch.untilMs = Math.min(stretch.untilMs, ms + 1);
  if (operator === 'lt' || operator === 'lte') stretch.untilMs = Math.min(stretch.untilMs, ms + isAfter);
  return true;
}

export interface Span {
  fromMs: number;
  untilMs: number;
}

/** The part of a range that is rolled up, in whole units, and the spans around it. */
export interface Split {
  counted: Span;
  rest: Span[];
}

/** Undefined if the range contains no whole rolled-up unit. */
export function splitAt(
  unitMs: number,
  { fromMs, untilMs }: Span,
  countedUntilMs: number,
): Split | undefined {
  const counted = {
    fromMs: Math.ceil(fromMs / unitMs) * unitMs,
    untilMs: Math.floor(Math.min(untilMs, countedUntilMs) / unitMs) * unitMs,
  };
  if (counted.fromMs >= counted.untilMs) return undefined;
  const around = [
    { fromMs, untilMs: counted.fromMs },
    { fromMs: counted.untilMs, untilMs },
  ];
  return { counted, rest: around.filter((span) => span.fromMs < span.untilMs) };
}
