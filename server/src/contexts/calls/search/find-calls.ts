import type { Tx } from '../../../platform/db/database.ts';
import type { Candidates, Span } from '../../../platform/filter/index.ts';
import { idAfter } from '../../../platform/ids.ts';
import { monthsOf } from './months.rules.ts';
import type { Term } from './terms.rules.ts';
import { countCalls, countHits, findEnds, findHits, type Hits, walkCalls } from './word.store.ts';

/**
 * Words read to find a rare term in all months at once, and a less rare one in a single month. A term with more matches
 * in a month is frequent: about one in 200 calls of an account with 4 million calls per month. Reading calls in page
 * order then fills a page of 100 within about as many rows.
 */
const rareHits = 1_000;
const monthHits = 20_000;
/** Calls read at a time in page order; doubled while the page is not full. */
const firstWalk = 1_000;
const longestWalk = 8_000;
/** Rows that one search may read. Beyond them the response has fewer items, and its cursor continues the search. */
const rowBudget = 60_000;

interface Search {
  tx: Tx;
  accountId: number;
  /** The user to whose calls the search is limited; undefined for none. */
  callsOf: number | undefined;
  terms: Term[];
  /** Calls to find at a time. */
  wanted: number;
}

/** Rows that may still be read. */
interface Budget {
  rows: number;
}

type Finding<Result> = AsyncGenerator<Candidates, Result, undefined>;

/** Finds the calls of a span that match all terms, in page order, until none are left or the budget is used. */
export async function* findCalls(search: Search, span: Span): Finding<void> {
  const nothing: Candidates = { ids: [], examined: undefined };
  if (search.terms.length === 0) return yield nothing;
  const budget = { rows: rowBudget };
  if (yield* seekAll(search, span, rareHits, budget, undefined)) return;
  const ends = await findEnds(search.tx, search.accountId, span);
  const months = ends ? monthsOf(span, ends) : [];
  if (months.length === 0) return yield nothing;
  for (const month of months) {
    const edge = span.descending ? month.from : month.until;
    const end = month === months.at(-1) ? undefined : edge;
    const isShort = await hasFewCalls(search, month, budget);
    if (isShort || !(yield* seekAll(search, month, monthHits, budget, end)))
      yield* walkAll(search, month, budget, end);
    if (budget.rows <= 0) return;
  }
}

/** Whether it takes less to read all calls of the user in a month than those of the account with a less rare term. */
async function hasFewCalls({ tx, ...searched }: Search, month: Span, budget: Budget): Promise<boolean> {
  if (searched.callsOf === undefined) return false;
  const count = await countCalls(tx, searched, month, longestWalk);
  budget.rows -= count;
  return count < longestWalk;
}

/** Finds calls through the rarest term. Returns false, without any, if all terms have more than `most` matches. */
async function* seekAll(
  search: Search,
  span: Span,
  most: number,
  budget: Budget,
  end: string | undefined,
): Finding<boolean> {
  for (let rest = span; ; ) {
    const { ids, count, isComplete } = await seek(search, rest, most);
    budget.rows -= count;
    if (!isComplete) return false;
    const last = ids.length < search.wanted ? undefined : ids.at(-1);
    yield { ids, examined: last ?? end };
    if (last === undefined || budget.rows <= 0) return true;
    rest = beyond(rest, last);
  }
}

/** Reads calls in page order and tests them for all terms. */
async function* walkAll(search: Search, span: Span, budget: Budget, end: string | undefined): Finding<void> {
  const { tx, terms, wanted } = search;
  let rest = span;
  for (let size = firstWalk; ; size = Math.min(2 * size, longestWalk)) {
    const walk = await walkCalls(tx, search, terms, rest, { size, limit: wanted });
    budget.rows -= walk.count;
    const lastRead = walk.count < size ? undefined : (walk.last ?? undefined);
    const last = walk.ids.length < wanted ? lastRead : walk.ids.at(-1);
    yield { ids: walk.ids, examined: last ?? end };
    if (last === undefined || budget.rows <= 0) return;
    rest = beyond(rest, last);
  }
}

/** Reads the matches of one term with at most `most`, and tests them for the others. */
async function seek(
  { tx, terms, wanted, ...searched }: Search,
  span: Span,
  most: number,
): Promise<Hits & { isComplete: boolean }> {
  // The longest is probably the rarest; if not, the others are counted.
  const [longest, ...others] = terms.toSorted((a, b) => lengthOf(b) - lengthOf(a));
  if (longest === undefined) return { count: 0, ids: [], isComplete: true };
  const limits = { most, limit: wanted };
  const first = await findHits(tx, searched, { term: longest, others }, span, limits);
  if (first.count <= most || others.length === 0) return { ...first, isComplete: first.count <= most };
  const counts = await countHits(tx, searched.accountId, others, span, most);
  const count = first.count + counts.reduce((sum, each) => sum + each, 0);
  const fewest = Math.min(...counts);
  const rarest = others[counts.indexOf(fewest)];
  if (rarest === undefined || fewest > most) return { count, ids: [], isComplete: false };
  const rest = terms.filter((term) => term !== rarest);
  const second = await findHits(tx, searched, { term: rarest, others: rest }, span, limits);
  return { ...second, count: count + second.count, isComplete: true };
}

const lengthOf = ({ prefixes }: Term): number => Math.min(...prefixes.map(({ length }) => length));

/** Returns the part of a span after an id in page order. */
const beyond = (span: Span, id: string): Span =>
  span.descending ? { ...span, until: id } : { ...span, from: idAfter(id) };
