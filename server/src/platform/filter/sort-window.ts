import { Refusal } from '../errors.ts';
import { timeRange } from './clock.ts';
import type { List } from './list.ts';
import type { Query } from './parse.ts';

const dayMs = 86_400_000;
/** A month in which daylight saving time ends is an hour longer. */
const slackMs = 3_600_000;

/**
 * Refuses an order without an index unless the filter limits the rows to a short time. A range without end ends now,
 * because rows have no later times.
 */
export function requireSortWindow(list: List, query: Query, now: Date): void {
  const days = Math.min(...query.order.flatMap(({ windowDays }) => windowDays ?? []));
  if (days === Number.POSITIVE_INFINITY) return;
  const { fromMs, untilMs = now.getTime() } = timeRange(query);
  if (fromMs !== undefined && untilMs - fromMs <= days * dayMs + slackMs) return;
  const clock = [...list.fields.values()].find(({ clockSkewMs }) => clockSkewMs !== undefined)?.name;
  const sorted = [...list.fields.values()].filter(({ sortWindowDays }) => sortWindowDays !== undefined);
  const message = `Ordering by ${sorted.map(({ name }) => `\`${name}\``).join(' or ')} requires a range of \`${clock}\` of at most ${days} days in \`where\`.`;
  throw new Refusal('VALIDATION_ERROR', message, {
    details: [{ path: 'filter.order', code: 'window_required', message }],
  });
}

/** True if the rows of the time range are read and sorted. */
export const sortsWindow = (query: Query): boolean =>
  query.order.some(({ windowDays }) => windowDays !== undefined);
