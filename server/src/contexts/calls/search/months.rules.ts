import type { Span } from '../../../platform/filter/index.ts';
import { higherId, idFloor, lowerId, msOfId } from '../../../platform/ids.ts';

/** Splits a span at the UTC months of the account's first and last call, which are partitions, in page order. */
export function monthsOf(span: Span, { first, last }: { first: string; last: string }): Span[] {
  const months: Span[] = [];
  const endMs = msOfId(last);
  for (let ms = firstOfMonth(msOfId(first), 0); ms <= endMs; ms = firstOfMonth(ms, 1)) {
    const [from, until] = [idFloor(ms), idFloor(firstOfMonth(ms, 1))];
    months.push({
      from: higherId(from, span.from),
      until: lowerId(until, span.until),
      descending: span.descending,
    });
  }
  return span.descending ? months.reverse() : months;
}

function firstOfMonth(ms: number, later: number): number {
  const at = new Date(ms);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later, 1);
}
