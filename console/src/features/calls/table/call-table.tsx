import { Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { placeCallCurl } from '../../../shared/format/curl.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { EmptyState } from '../../../shared/layout/empty-state.tsx';
import { Icon } from '../../../shared/layout/icons.tsx';
import { RowSkeletons } from '../../../shared/layout/skeletons.tsx';
import { useDial } from '../../../shared/phone-number/dialing.ts';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import { callsQuery, countQuery, type ListFilter, maxRows } from '../queries.ts';
import { CallTableRow, type RowContext, rowHeight } from './call-row.tsx';
import { useLiveRows } from './live-rows.ts';
import classes from './table.module.css';

export interface CallTableProps {
  filter: ListFilter;
  openId: string | undefined;
  onOpen: (id: string) => void;
  isFiltered: boolean;
  onOrder: () => void;
  onClear: () => void;
}

/** The next page is fetched this many rows before the end. */
const prefetchRows = 60;
const compactBelow = 820;

/** Virtualized table of the calls in a view. */
export function CallTable(props: CallTableProps) {
  const { filter, openId, onOpen, isFiltered } = props;
  const { t } = useTranslation();
  const { data, error, isPending, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } =
    useInfiniteQuery(callsQuery(filter));
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  const { ref: sized, width } = useElementSize();
  const isCompact = width > 0 && width < compactBelow;
  const height = rowHeight(isCompact);
  const { list, virtual, focusLine } = useRows(rows.length, height);
  const isAtTop = useCallback(() => list.current === null || window.scrollY < list.current.offsetTop, [list]);
  const live = useLiveRows(filter, isAtTop);
  const words = useRowContext();
  const lines = virtual.getVirtualItems();
  const lastShown = lines.at(-1)?.index ?? 0;
  useEffect(() => {
    const isNear = lastShown >= rows.length - prefetchRows;
    if (isNear && hasNextPage && !isFetchingNextPage && !error) void fetchNextPage();
  }, [lastShown, rows.length, hasNextPage, isFetchingNextPage, error, fetchNextPage]);
  return (
    <div ref={sized} className={classes.frame}>
      <TableHead {...props} loaded={rows.length} isWhole={data !== undefined && !hasNextPage} />
      {live.waiting > 0 && (
        <div className={classes.waiting} data-appears="below">
          <Button
            size="xs"
            leftSection={<Icon name="live" size={14} />}
            onClick={() => {
              live.showWaiting();
              window.scrollTo({ top: 0 });
            }}
          >
            {t('calls.newCalls', { count: live.waiting })}
          </Button>
        </div>
      )}
      {isPending && (
        <div role="status" aria-label={t('common.loading')}>
          <RowSkeletons
            rows={12}
            columns={isCompact ? ['3fr', '1fr'] : ['2fr', '3fr', '3fr', '2fr', '1fr', '1fr']}
            height={height}
          />
        </div>
      )}
      {rows.length > 0 && (
        <table
          className={classes.table}
          aria-label={t('shell.calls')}
          aria-rowcount={hasNextPage ? -1 : rows.length + 1}
        >
          <ColumnNames />
          <tbody ref={list} className={classes.rows} style={{ height: virtual.getTotalSize() }}>
            {lines.map(({ index, start }) => {
              const call = rows[index];
              if (!call) return null;
              return (
                <CallTableRow
                  key={call.id}
                  call={call}
                  index={index}
                  top={start - virtual.options.scrollMargin}
                  isCompact={isCompact}
                  isOpen={call.id === openId}
                  onOpen={onOpen}
                  onMove={focusLine}
                  words={words}
                />
              );
            })}
          </tbody>
        </table>
      )}
      {error && <ProblemNote error={error} onRetry={() => void (data ? fetchNextPage() : refetch())} />}
      {!isPending && !error && rows.length === 0 && !hasNextPage && (
        <NoCalls isFiltered={isFiltered} onClear={props.onClear} />
      )}
      <p className={classes.end} role="status">
        {isFetchingNextPage && t('common.loading')}
        {rows.length >= maxRows && t('calls.tooMany')}
      </p>
    </div>
  );
}

function useRowContext(): RowContext {
  const { t } = useTranslation();
  const formats = useFormats();
  const dial = useDial();
  return useMemo(() => ({ t, formats, dial }), [t, formats, dial]);
}

/** Row virtualization and keyboard navigation. */
function useRows(count: number, height: number) {
  const list = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const hasLines = count > 0;
  // Content above the list may change its offset. Measured after layout, so that reading it forces no reflow.
  useEffect(() => {
    const main = hasLines ? list.current?.closest('main') : undefined;
    if (!main) return;
    const observer = new ResizeObserver(() => {
      const box = list.current?.getBoundingClientRect();
      if (box) setScrollMargin(Math.round(box.top + window.scrollY));
    });
    observer.observe(main);
    return () => observer.disconnect();
  }, [hasLines]);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan: 10,
    scrollMargin,
    useFlushSync: false,
  });
  useEffect(() => {
    if (height > 0) virtual.measure();
  }, [virtual, height]);
  const focusLine = useCallback(
    (index: number) => {
      if (index < 0 || index >= count) return;
      const focus = (): boolean => {
        const line = list.current?.querySelector<HTMLElement>(`[data-line="${index}"]`);
        line?.focus({ preventScroll: true });
        return line !== undefined && line !== null;
      };
      virtual.scrollToIndex(index, { align: 'auto' });
      // A distant row is rendered in the next frame; key repeat does not wait for it.
      if (!focus()) requestAnimationFrame(focus);
    },
    [virtual, count],
  );
  return { list, virtual, focusLine };
}

function TableHead({
  filter,
  openId,
  onOrder,
  loaded,
  isWhole,
}: CallTableProps & { loaded: number; isWhole: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const isSearch = filter.q !== undefined;
  // An open call needs three requests, so the total is fetched after it is closed.
  const { data: total } = useQuery({ ...countQuery(filter), enabled: openId === undefined && !isSearch });
  // A search has no total; it is known when the last page is loaded.
  const data = isSearch ? isWhole && { count: loaded, isEstimated: false } : total;
  const count = Math.max(data ? data.count : 0, loaded);
  const text = data && t('calls.count', { count, calls: formats.number(count) });
  return (
    <div className={classes.head}>
      <p className={classes.count} role="status">
        {text && (data.isEstimated ? t('calls.about', { count: text }) : text)}
      </p>
      <button type="button" className={classes.order} onClick={onOrder}>
        <Icon name="down" size={14} />
        {t(filter.order === 'oldest' ? 'calls.oldestFirst' : 'calls.newestFirst')}
      </button>
    </div>
  );
}

const columns = ['when', 'from', 'to', 'state', 'duration', 'price'] as const;

function ColumnNames() {
  const { t } = useTranslation();
  return (
    <thead className={classes.names}>
      <tr className={classes.columns}>
        {columns.map((column) => (
          <th key={column} scope="col" className={classes[column]}>
            {t(`calls.columns.${column}`)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function NoCalls({ isFiltered, onClear }: Pick<CallTableProps, 'isFiltered' | 'onClear'>) {
  const { t } = useTranslation();
  if (!isFiltered)
    return (
      <EmptyState
        icon="calls"
        text={t('calls.empty')}
        action={
          <Button variant="default" component={Link} to="/extensions">
            {t('calls.setUp')}
          </Button>
        }
        curl={placeCallCurl('1000')}
      />
    );
  return (
    <EmptyState
      icon="search"
      text={t('calls.nothingFound')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('calls.filters.clear')}
        </Button>
      }
    />
  );
}
