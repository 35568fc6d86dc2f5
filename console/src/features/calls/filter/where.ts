import { addDays, dayInZone, toInstant } from '../../../shared/time/zoned-days.ts';
import type { CallsView, Filter } from '../view.ts';
import { findField, metadataKey } from './fields.ts';
import { outcomeTests } from './outcomes.ts';

type Test = Record<string, unknown>;

/** Converts the view to the API's filter, without pagination. */
export function toWhere(view: CallsView, timeZone: string, today = dayInZone(new Date(), timeZone)): Test {
  const tests: Test[] = view.filters.map((filter) => ({ [toApiName(filter)]: toTest(filter, timeZone) }));
  if (view.outcome) tests.push(...outcomeTests(view.outcome));
  const started = startedWithin(view, timeZone, today);
  const all = started ? [{ started_at: started }, ...tests] : tests;
  return all.length > 1 ? { and: all } : (all[0] ?? {});
}

function toApiName({ name }: Filter): string {
  return findField(name)?.apiName ?? name;
}

/** Converts dates, which start at midnight in the account's time zone, to instants. */
export function startedWithin(
  { period, since, until }: CallsView,
  timeZone: string,
  today: string,
): { gte?: string; lt?: string } | undefined {
  const at = (day: string): string => toInstant(day, timeZone).toISOString();
  switch (period) {
    case 'today':
      return { gte: at(today) };
    case 'yesterday':
      return { gte: at(addDays(today, -1)), lt: at(today) };
    case '7d':
      return { gte: at(addDays(today, -6)) };
    case '30d':
      return { gte: at(addDays(today, -29)) };
    case undefined:
      if (!since && !until) return undefined;
      return { ...(since && { gte: at(since) }), ...(until && { lt: at(addDays(until, 1)) }) };
  }
}

function toTest(filter: Filter, timeZone: string): unknown {
  const { operator, value } = filter;
  const kind = findField(filter.name)?.kind;
  const isNumber = kind === 'seconds' || kind === 'money';
  const like = kind === 'digits' ? 'like' : 'ilike';
  switch (operator) {
    case 'is':
      return filter.name.startsWith('metadata.') ? equalMetadata(filter) : value;
    case 'not':
      return { neq: value };
    case 'contains':
      return { [like]: `%${escapeLike(value)}%` };
    case 'starts':
      return { [like]: `${escapeLike(value)}%` };
    case 'ends':
      return { [like]: `%${escapeLike(value)}` };
    case 'any':
      return { inq: value.split(',') };
    case 'least':
      return { gte: isNumber ? Number(value) : value };
    case 'most':
      return { lte: isNumber ? Number(value) : value };
    case 'between':
      return { between: value.split('~').map(Number) };
    case 'exists':
      return { exists: true };
    case 'missing':
      return { exists: false };
    case 'after':
      return { gte: toInstant(value, timeZone).toISOString() };
    case 'before':
      return { lt: toInstant(value, timeZone).toISOString() };
  }
}

/** Matches metadata stored as text or as a number. */
function equalMetadata({ name, value }: Filter): unknown {
  const number = Number(value);
  const isBoth = metadataKey(name) !== '' && value.trim() !== '' && String(number) === value;
  return isBoth ? { inq: [value, number] } : value;
}

/** Escapes LIKE wildcards. */
const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
