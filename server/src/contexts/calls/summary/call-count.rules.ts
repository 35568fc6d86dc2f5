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
  const all: Stretch = { fromMs: 0, untilMs: endOfTimeMs, status: undefined };
  return conditions.reduce<Stretch | undefined>(
    (stretch, condition) => stretch && narrow(stretch, condition),
    all,
  );
}

/** Undefined if the condition tests anything but a range of start times or one status. */
function narrow(stretch: Stretch, condition: Condition): Stretch | undefined {
  if (condition.kind !== 'compare') return undefined;
  const { target, operator, value } = condition;
  if (target.field.name === 'status') {
    return operator === 'eq' && stretch.status === undefined
      ? { ...stretch, status: String(value) }
      : undefined;
  }
  if (target.field.name !== 'started_at') return undefined;
  const ms = Date.parse(String(value));
  const from = (fromMs: number) => ({ fromMs: Math.max(stretch.fromMs, fromMs) });
  const until = (untilMs: number) => ({ untilMs: Math.min(stretch.untilMs, untilMs) });
  switch (operator) {
    case 'eq':
      return { ...stretch, ...from(ms), ...until(ms + 1) };
    case 'gte':
      return { ...stretch, ...from(ms) };
    case 'gt':
      return { ...stretch, ...from(ms + 1) };
    case 'lt':
      return { ...stretch, ...until(ms) };
    case 'lte':
      return { ...stretch, ...until(ms + 1) };
    case 'neq':
      return undefined;
  }
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
