import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import {
  fetchCursorPage,
  fetchPageOrCursor,
  mentionsField,
  parseFilter,
  pickFields,
  type Query,
} from '../../../platform/filter/index.ts';
import type { CursorQuery, PageQuery } from '../../../platform/list-schemas.ts';
import { explainPrices } from '../../billing/index.ts';
import { type RecordingUrlDeps, recordedCalls, recordingUrl } from '../../recordings/index.ts';
import { countByDays } from '../summary/call-counts.ts';
import { type ListedCall, selectCalls } from './call-list.store.ts';
import { callsList, searchList } from './call-list.ts';
import { type CallRecord, type Includes, presentCall } from './call-record.ts';

export interface ReadCallDeps extends RecordingUrlDeps {
  db: Database;
}

/** Returns one page, newest first by default. Every user of the account sees all of its calls. */
export async function listCalls(
  deps: ReadCallDeps,
  { accountId }: Pick<Caller, 'accountId'>,
  { filter, page, cursor }: PageQuery,
) {
  const asked = parseFilter(callsList, filter);
  return await inAccount(deps.db, accountId, async (tx) => {
    const query = await asked.forAccount(tx, accountId);
    const source = sourceOf(tx, accountId, query);
    const count = () => countByDays(tx, { now: deps.clock.now(), accountId }, query);
    const result = await fetchPageOrCursor(tx, callsList, source, query, { page, cursor }, count);
    return { ...result, data: await presentPage(deps, tx, accountId, query, result.rows) };
  });
}

/** Returns a page for bulk search: longer than in lists, by cursor only. */
export async function searchCalls(
  deps: ReadCallDeps,
  { accountId }: Pick<Caller, 'accountId'>,
  { filter, cursor }: CursorQuery,
) {
  const asked = parseFilter(searchList, filter);
  return await inAccount(deps.db, accountId, async (tx) => {
    const query = await asked.forAccount(tx, accountId);
    const result = await fetchCursorPage(tx, searchList, sourceOf(tx, accountId, query), query, cursor);
    return { meta: result.meta, data: await presentPage(deps, tx, accountId, query, result.rows) };
  });
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
  accountId: number,
  query: Query,
  calls: ListedCall[],
): Promise<(Partial<CallRecord> & Includes)[]> {
  const records = await recordsOf(deps, tx, accountId, calls);
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
  accountId: number,
  calls: ListedCall[],
): Promise<CallRecord[]> {
  const candidates = calls.filter(({ recorded }) => recorded).map(({ id }) => id);
  const linked = await recordedCalls(tx, accountId, candidates);
  return calls.map((call) => presentCall(call, linked.has(call.id) ? recordingUrl(deps, call.id) : null));
}
