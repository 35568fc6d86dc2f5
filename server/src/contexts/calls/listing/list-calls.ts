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
import { callsSeenBy, mayListen, type Viewer } from '../../../platform/visibility.ts';
import { explainPrices } from '../../billing/index.ts';
import { type RecordingUrlDeps, recordedCalls, recordingUrl } from '../../recordings/index.ts';
import { noNote, noteFields } from '../notes/note.rules.ts';
import { findNotes } from '../notes/note.store.ts';
import { sharesOf } from '../own-calls.store.ts';
import { findCalls } from '../search/find-calls.ts';
import { type Term, termsOf } from '../search/terms.rules.ts';
import { countByDays } from '../summary/call-counts.ts';
import { type ListedCall, selectCalls } from './call-list.store.ts';
import { callsList, searchList } from './call-list.ts';
import { type CallRecord, type Includes, presentCall } from './call-record.ts';

export interface ReadCallDeps extends RecordingUrlDeps {
  db: Database;
}

/** Returns one page of the calls that the viewer sees, newest first by default. */
export async function listCalls(deps: ReadCallDeps, viewer: Viewer, { filter, page, cursor }: PageQuery) {
  const { accountId } = viewer;
  const asked = parseFilter(callsList, filter);
  return await inAccount(deps.db, accountId, async (tx) => {
    const query = ofViewer(viewer, await asked.forAccount(tx, accountId));
    requireSortWindow(callsList, query, deps.clock.now());
    const source = sourceOf(tx, viewer, query);
    // Days count the calls of the whole account.
    const countDays = () => countByDays(tx, { now: deps.clock.now(), accountId }, query);
    const count = callsSeenBy(viewer) === undefined ? countDays : undefined;
    const result = await fetchPageOrCursor(tx, callsList, source, query, { page, cursor }, count);
    return { ...result, data: await presentPage(deps, tx, viewer, query, result.rows) };
  });
}

/** Returns a page of a search by words, or for bulk work: longer than in lists, by cursor only. */
export async function searchCalls(deps: ReadCallDeps, viewer: Viewer, { q, filter, cursor }: SearchQuery) {
  const { accountId } = viewer;
  const asked = parseFilter(searchList, filter);
  const search = parseSearch(q);
  return await inAccount(deps.db, accountId, async (tx) => {
    const query = ofViewer(viewer, await asked.forAccount(tx, accountId));
    requireSortWindow(searchList, query, deps.clock.now());
    const result = await readSlice(tx, viewer, searchList, { query, search }, cursor);
    return { meta: result.meta, data: await presentPage(deps, tx, viewer, query, result.rows) };
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

/** Reads the calls after a cursor that the viewer sees and that match the filter and the search. */
export async function readSlice(
  tx: Tx,
  viewer: Viewer,
  list: List,
  { query, search }: { query: Query; search: Search | undefined },
  cursor: string | undefined,
) {
  const { accountId } = viewer;
  const source = sourceOf(tx, viewer, query);
  if (search === undefined) return await fetchCursorPage(tx, list, source, query, cursor);
  return await fetchFoundPage(tx, list, source, { ...query, search: search.text }, cursor, (span, wanted) =>
    findCalls({ tx, accountId, callsOf: callsSeenBy(viewer), terms: search.terms, wanted }, span),
  );
}

/** Adds how the calls of a viewer with few of them are read. */
export function ofViewer(viewer: Viewer, query: Query): Query {
  const shares = sharesOf(callsSeenBy(viewer));
  return shares ? { ...query, shares } : query;
}

export const sourceOf = (tx: Tx, viewer: Viewer, query: Query) =>
  selectCalls(tx, viewer, {
    withTimeline: query.include.includes('timeline'),
    withRecordings: mentionsField(query.where, 'record_url'),
    withNotes: noteFields.some((name) => mentionsField(query.where, name)),
  });

/** Reduces the records to the requested fields and adds the requested parts. */
export async function presentPage(
  deps: RecordingUrlDeps,
  tx: Tx,
  viewer: Viewer,
  query: Query,
  calls: ListedCall[],
): Promise<(Partial<CallRecord> & Includes)[]> {
  const { accountId } = viewer;
  const records = await recordsOf(deps, tx, viewer, calls);
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
  viewer: Viewer,
  calls: ListedCall[],
): Promise<CallRecord[]> {
  const linked = await linkedCalls(tx, viewer, calls);
  const ids = calls.map(({ id }) => id);
  const notes = await findNotes(tx, viewer.accountId, ids);
  return calls.map((call) =>
    presentCall(call, {
      recordUrl: linked.has(call.id) ? recordingUrl(deps, call.id, viewer.uuid) : null,
      note: notes.get(call.id) ?? noNote,
    }),
  );
}

/** Returns the calls with a recording that the viewer gets a link to. */
export async function linkedCalls(tx: Tx, viewer: Viewer, calls: ListedCall[]): Promise<Set<string>> {
  const candidates = calls.filter(({ recorded, is_own }) => recorded && mayListen(viewer, is_own));
  return await recordedCalls(
    tx,
    viewer.accountId,
    candidates.map(({ id }) => id),
  );
}
