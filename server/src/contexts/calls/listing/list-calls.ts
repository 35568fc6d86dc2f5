import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import {
  fetchCursorPage,
  fetchFoundPage,
  fetchPageOrCursor,
  type List,
  mentionsField,
  parseFilter,
  pickFields,
  type Query,
  requireSortWindow,
} from '../../../platform/filter/index.ts';
import type { PageQuery, SearchQuery } from '../../../platform/list-schemas.ts';
import { allowsScope } from '../../../platform/scopes.ts';
import { explainPrices } from '../../billing/index.ts';
import { type RecordingUrlDeps, recordedCalls, recordingUrl } from '../../recordings/index.ts';
import { findCalls } from '../search/find-calls.ts';
import { type Term, termsOf } from '../search/terms.rules.ts';
import { countByDays } from '../summary/call-counts.ts';
import { type ListedCall, selectCalls } from './call-list.store.ts';
import { callsList, searchList } from './call-list.ts';
import { type CallRecord, type Includes, presentCall } from './call-record.ts';

/** Who reads calls: a token without the scope `recordings` gets no links to recordings. */
export type Reader = Pick<Caller, 'accountId' | 'scopes'>;

export interface ReadCallDeps extends RecordingUrlDeps {
  db: Database;
}

/** Returns one page, newest first by default. Every user of the account sees all of its calls. */
export async function listCalls(deps: ReadCallDeps, reader: Reader, { filter, page, cursor }: PageQuery) {
  const { accountId } = reader;
  const asked = parseFilter(callsList, filter);
  return await inAccount(deps.db, accountId, async (tx) => {
    const query = await asked.forAccount(tx, accountId);
    requireSortWindow(callsList, query, deps.clock.now());
    const source = sourceOf(tx, accountId, query);
    const count = () => countByDays(tx, { now: deps.clock.now(), accountId }, query);
    const result = await fetchPageOrCursor(tx, callsList, source, query, { page, cursor }, count);
    return { ...result, data: await presentPage(deps, tx, reader, query, result.rows) };
  });
}

/** Returns a page of a search by words, or for bulk work: longer than in lists, by cursor only. */
export async function searchCalls(deps: ReadCallDeps, reader: Reader, { q, filter, cursor }: SearchQuery) {
  const { accountId } = reader;
  const asked = parseFilter(searchList, filter);
  const search = parseSearch(q);
  return await inAccount(deps.db, accountId, async (tx) => {
    const query = await asked.forAccount(tx, accountId);
    requireSortWindow(searchList, query, deps.clock.now());
    const result = await readSlice(tx, accountId, searchList, { query, search }, cursor);
    return { meta: result.meta, data: await presentPage(deps, tx, reader, query, result.rows) };
  });
}

export interface Search {
  text: string;
  terms: Term[];
}

/** Returns the search of a request; undefined if there is none. */
export function parseSearch(q: string | undefined): Search | undefined {
  const text = q?.trim();
  return text ? { text, terms: termsOf(text) } : undefined;
}

/** Reads the calls after a cursor that match the filter and the search. */
export async function readSlice(
  tx: Tx,
  accountId: number,
  list: List,
  { query, search }: { query: Query; search: Search | undefined },
  cursor: string | undefined,
) {
  const source = sourceOf(tx, accountId, query);
  if (search === undefined) return await fetchCursorPage(tx, list, source, query, cursor);
  return await fetchFoundPage(tx, list, source, { ...query, search: search.text }, cursor, (span, wanted) =>
    findCalls({ tx, accountId, terms: search.terms, wanted }, span),
  );
}

export const sourceOf = (tx: Tx, accountId: number, query: Query) =>
  selectCalls(tx, accountId, {
    withTimeline: query.include.includes('timeline'),
    withRecordings: mentionsField(query.where, 'record_url'),
  });

/** Reduces the records to the requested fields and adds the requested parts. */
export async function presentPage(
  deps: RecordingUrlDeps,
  tx: Tx,
  reader: Reader,
  query: Query,
  calls: ListedCall[],
): Promise<(Partial<CallRecord> & Includes)[]> {
  const { accountId } = reader;
  const records = await recordsOf(deps, tx, reader, calls);
  const wantsPrice = query.include.includes('price');
  const prices = wantsPrice
    ? await explainPrices(
        tx,
        accountId,
        calls.map(({ id }) => id),
      )
    : undefined;
  return calls.map((call, i) => ({
    ...pickFields(query, records[i] as CallRecord),
    ...(prices && { price: prices.get(call.id) ?? null }),
    ...(call.timeline !== undefined && { timeline: call.timeline as NonNullable<Includes['timeline']> }),
  }));
}

async function recordsOf(
  deps: RecordingUrlDeps,
  tx: Tx,
  { accountId, scopes }: Reader,
  calls: ListedCall[],
): Promise<CallRecord[]> {
  const mayListen = allowsScope(scopes, 'recordings');
  const candidates = calls.filter(({ recorded }) => recorded && mayListen).map(({ id }) => id);
  const linked = await recordedCalls(tx, accountId, candidates);
  return calls.map((call) => presentCall(call, linked.has(call.id) ? recordingUrl(deps, call.id) : null));
}
