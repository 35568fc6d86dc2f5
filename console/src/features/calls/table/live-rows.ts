import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type LiveEvent, useLiveEvents } from '../../../shared/live/live.ts';
import { useThrottled } from '../../../shared/time/use-throttled.ts';
import { type CallPage, callsQuery, countQuery, type ListFilter, readTop } from '../queries.ts';
import { rowChange } from './row-change.ts';

type Pages = InfiniteData<CallPage, string | undefined>;

/** Minimum interval between fetches of new rows; existing rows update immediately. */
const topEveryMs = 8_000;
const eventTypes = [
  'channel-create',
  'channel-ringing',
  'channel-dialing',
  'channel-answer',
  'channel-hangup',
  'call-priced',
  'recording-ready',
  'call-updated',
];

export interface LiveRows {
  /** New calls not yet shown because the user has scrolled down. */
  waiting: number;
  showWaiting(): void;
}

/** Keeps the list current: updates rows from live events and adds new calls at the top. */
export function useLiveRows(filter: ListFilter, isAtTop: () => boolean): LiveRows {
  const queryClient = useQueryClient();
  const { queryKey } = useMemo(() => callsQuery(filter), [filter]);
  const [fresh, setFresh] = useState<CallPage>();
  const isNewestFirst = filter.order !== 'oldest';
  const show = (top: CallPage): void => {
    const before = queryClient.getQueryData<Pages>(queryKey);
    if (!before) return;
    const after = mergeTop(before, top);
    queryClient.setQueryData<Pages>(queryKey, after);
    countMore(queryClient, filter, countNew(before, top));
    setFresh(undefined);
  };
  const readAgain = useThrottled(() => {
    if (!isNewestFirst) return;
    // After a failure the next event triggers another read.
    const read = readTop(filter).then((top) => {
      const before = queryClient.getQueryData<Pages>(queryKey);
      if (before && countNew(before, top) > 0 && !isAtTop()) setFresh(top);
      else show(top);
    });
    read.catch(() => undefined);
  }, topEveryMs);
  useLiveEvents(eventTypes, (event) => {
    queryClient.setQueryData<Pages>(queryKey, (pages) => pages && withEvent(pages, event));
    if (event.type === 'channel-create' || dependsOnProgress(filter)) readAgain();
  });
  // Events were missed while the list was not mounted.
  useEffect(() => {
    setFresh(undefined);
    if (queryClient.getQueryData(queryKey)) readAgain();
  }, [queryClient, queryKey, readAgain]);
  const list = fresh && queryClient.getQueryData<Pages>(queryKey);
  return {
    waiting: fresh && list ? countNew(list, fresh) : 0,
    showWaiting: () => fresh && show(fresh),
  };
}

/** Whether calls may enter or leave the list during their lifetime. A search finds new calls after a few seconds. */
const dependsOnProgress = ({ q, where }: ListFilter): boolean =>
  q !== undefined ||
  /"(status|ended_at|answered_at|duration|hangup_cause|ended_by|disposition|note|tags)":/.test(
    JSON.stringify(where),
  );

function countNew({ pages }: Pages, top: CallPage): number {
  const newest = pages[0]?.rows[0]?.id ?? '';
  return top.rows.filter(({ id }) => id > newest).length;
}

function countMore(queryClient: ReturnType<typeof useQueryClient>, filter: ListFilter, more: number): void {
  queryClient.setQueryData(
    countQuery(filter).queryKey,
    (list) => list && { ...list, count: list.count + more },
  );
}

/** Merges new rows at the top. Ids are time-ordered, so they sort like the list. */
function mergeTop(list: Pages, top: CallPage): Pages {
  const [first, ...others] = list.pages;
  const last = top.rows.at(-1)?.id;
  const isWhole = top.next === undefined;
  const rest = isWhole || last === undefined ? [] : (first?.rows.filter(({ id }) => id < last) ?? []);
  const touches = first?.rows.some(({ id }) => last !== undefined && id >= last) ?? false;
  if (isWhole || !first || !touches) return { pages: [top], pageParams: [undefined] };
  return {
    pages: [{ rows: [...top.rows, ...rest], next: first.next }, ...others],
    pageParams: list.pageParams,
  };
}

function withEvent(list: Pages, event: LiveEvent): Pages {
  const id = event.data.id;
  const index = list.pages.findIndex(({ rows }) => rows.some((row) => row.id === id));
  const page = list.pages[index];
  if (!page) return list;
  const rows = page.rows.map((row) => (row.id === id ? { ...row, ...rowChange(row, event) } : row));
  return { ...list, pages: list.pages.with(index, { ...page, rows }) };
}
