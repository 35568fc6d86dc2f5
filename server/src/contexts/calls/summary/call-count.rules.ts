import type { Condition } from '../../../platform/filter/index.ts';

export const dayMs = 86_400_000;
const endOfTimeMs = Date.UTC(9999, 11, 31);

/** Calls that started in [from, until): all, or those that have ended. */
export interface CallRange {
  fromMs: number;
  untilMs: number;
  isEnded: boolean;
}

/** Returns the range selected by the conditions, if they test only the start time and whether the call has ended. */
export function rangeFromConditions(conditions: Condition[]): CallRange | undefined {
  const all: CallRange = { fromMs: 0, untilMs: endOfTimeMs, isEnded: false };
  return conditions.reduce<CallRange | undefined>(
    (range, condition) => range && narrow(range, condition),
    all,
  );
}

/** Narrows the range; undefined if the condition tests anything else. */
function narrow(range: CallRange, condition: Condition): CallRange | undefined {
  if (condition.kind !== 'compare') return undefined;
  const { target, operator, value } = condition;
  if (target.field.name === 'status') {
    return operator === 'eq' && value === 'ended' ? { ...range, isEnded: true } : undefined;
  }
  if (target.field.name !== 'started_at') return undefined;
  const ms = Date.parse(String(value));
  const from = (fromMs: number) => ({ fromMs: Math.max(range.fromMs, fromMs) });
  const until = (untilMs: number) => ({ untilMs: Math.min(range.untilMs, untilMs) });
  switch (operator) {
    case 'eq':
      return { ...range, ...from(ms), ...until(ms + 1) };
    case 'gte':
      return { ...range, ...from(ms) };
    case 'gt':
      return { ...range, ...from(ms + 1) };
    case 'lt':
      return { ...range, ...until(ms) };
    case 'lte':
      return { ...range, ...until(ms + 1) };
    case 'neq':
      return undefined;
  }
}

export interface Span {
  fromMs: number;
  untilMs: number;
}

/** The rolled-up part of a range, in whole units, and the spans around it. */
export interface Split {
  counted: Span;
  rest: Span[];
}

/** Splits a range; undefined if it contains no whole rolled-up unit. */
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
