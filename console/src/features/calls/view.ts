import { toSearchValue } from '../../shared/format/search-value.ts';
import { isWallTime } from '../../shared/time/zoned-days.ts';
import { findField, needsNoValue, type Operator, operatorsFor } from './filter/fields.ts';
import { type Outcome, outcomes } from './filter/outcomes.ts';

export interface Filter {
  /** A field name, or `metadata.<key>`. */
  name: string;
  operator: Operator;
  value: string;
}

export const periods = ['today', 'yesterday', '7d', '30d'] as const;
export type Period = (typeof periods)[number];

/** Filters and period of the list, stored in the URL so that the view can be shared. */
export interface CallsView {
  /** Words to search for. */
  q?: string;
  period?: Period;
  /** Dates in the account's time zone, both inclusive. */
  since?: string;
  until?: string;
  outcome?: Outcome;
  order?: 'oldest';
  /** Id of the call open next to the list. */
  call?: string;
  filters: Filter[];
}

/** A view as URL search parameters. */
export type CallsSearch = Record<string, string | number>;

const maxFilters = 20;
export const maxSearchLength = 200;
const isDay = (text: string): boolean => text.length === 10 && isWallTime(text);
const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

export function parseView(search: Record<string, unknown>): CallsView {
  const texts = Object.entries(search)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => [name, String(value)] as const);
  const view: CallsView = { filters: [] };
  for (const [name, text] of texts) {
    const period = periods.find((each) => each === text);
    const outcome = outcomes.find((each) => each === text);
    if (name === 'q' && text.trim() !== '') view.q = text.trim().slice(0, maxSearchLength);
    else if (name === 'period' && period) view.period = period;
    else if ((name === 'since' || name === 'until') && isDay(text)) view[name] = text;
    else if (name === 'outcome' && outcome) view.outcome = outcome;
    else if (name === 'order' && text === 'oldest') view.order = text;
    else if (name === 'call' && isUuid(text)) view.call = text;
    else if (view.filters.length < maxFilters) view.filters.push(...parseFilter(name, text));
  }
  return view;
}

export function toSearch({ filters, ...rest }: CallsView): CallsSearch {
  const set = Object.entries(rest).filter(([, value]) => value !== undefined);
  const parameters = filters.map((filter) => [filter.name, filterText(filter)] as const);
  return Object.fromEntries(
    [...set, ...parameters].map(([name, text]) => [name, toSearchValue(String(text))]),
  );
}

/** Removes invalid search parameters. */
export const validateSearch = (search: Record<string, unknown>): CallsSearch => toSearch(parseView(search));

/** Adds a filter, replacing the previous one of the same field. */
export const withFilter = (view: CallsView, filter: Filter): CallsView => ({
  ...view,
  filters: [...view.filters.filter(({ name }) => name !== filter.name), filter],
});

export const withoutFilter = (view: CallsView, name: string): CallsView => ({
  ...view,
  filters: view.filters.filter((filter) => filter.name !== name),
});

const withOperator = /^([a-z]+)~(.*)$/s;

/** Parses a parameter. The default operator of a field is omitted: `phone=5511…`, but `duration=most~60`. */
function parseFilter(name: string, text: string): Filter[] {
  const field = findField(name);
  if (!field) return [];
  const operators = operatorsFor(field);
  const [, word, value = ''] = withOperator.exec(text) ?? [];
  const operator = operators.find((each) => each === word);
  const filter: Filter = operator
    ? { name, operator, value }
    : { name, operator: operators[0], value: needsNoValue(operators[0]) ? '' : text };
  return isValidFilter(filter) ? [filter] : [];
}

function isValidFilter({ operator, value }: Filter): boolean {
  if (operator === 'after' || operator === 'before') return isWallTime(value);
  return value !== '' || needsNoValue(operator);
}

function filterText({ name, operator, value }: Filter): string {
  const field = findField(name);
  const isDefault = field !== undefined && operatorsFor(field)[0] === operator;
  return isDefault && !needsNoValue(operator) && !withOperator.test(value) ? value : `${operator}~${value}`;
}
