import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { apiPath } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { StreamDownloadButton } from '../../shared/download/download-button.tsx';
import { useFormats } from '../../shared/format/formats.ts';
import { EmptyState } from '../../shared/layout/empty-state.tsx';
import { RowSkeletons } from '../../shared/layout/skeletons.tsx';
import { Note, ProblemNote } from '../../shared/problems/problem-note.tsx';
import { downloadStatement } from './download-statement.ts';
import { linesPerPage, maxPages, statementQuery } from './queries.ts';
import { StatementFilters, useChoose } from './statement-filters.tsx';
import { StatementTable } from './statement-table.tsx';
import { StatementTotals } from './statement-totals.tsx';
import { TopUpButton } from './top-up-button.tsx';
import { type CreditSearch, type StatementWhere, toWhere } from './view.ts';

type Shown = Pick<CreditSearch, 'type' | 'month'>;

const curl = (): string =>
  `curl '${location.origin}${apiPath}/accounts/statement?page=1' -H "Authorization: Bearer $TOKEN"`;

function useWhere({ type, month }: Shown): StatementWhere {
  const { timezone } = useSession().account;
  return useMemo(
    () => toWhere({ ...(type && { type }), ...(month && { month }) }, timezone),
    [type, month, timezone],
  );
}

/** Ledger entries of the account, newest first, under the totals of their period. */
export function LinesPart({ type, month }: Shown) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const statement = useInfiniteQuery(statementQuery(useWhere({ type, month })));
  const pages = statement.data?.pages ?? [];
  const lines = pages.flatMap(({ items }) => items);
  const isFiltered = type !== undefined || month !== undefined;
  const isUnused = !isFiltered && lines.length === 0;
  return (
    <>
      <StatementFilters type={type} month={month} />
      {statement.isPending && <RowSkeletons rows={6} columns={['3fr', '5fr', '2fr', '2fr']} />}
      {statement.error && <ProblemNote error={statement.error} onRetry={() => void statement.refetch()} />}
      {statement.data && !isUnused && <StatementTotals month={month} isFiltered={type !== undefined} />}
      {statement.data && lines.length === 0 && (
        <EmptyState
          icon={isFiltered ? 'search' : 'docs'}
          text={t(isFiltered ? 'credit.statement.nothing' : 'credit.statement.empty')}
          action={isFiltered ? <ClearButton /> : <TopUpButton />}
          {...(!isFiltered && { curl: curl() })}
        />
      )}
      {lines.length > 0 && <StatementTable lines={lines} />}
      {statement.hasNextPage && pages.length < maxPages && (
        <Button
          variant="default"
          loading={statement.isFetchingNextPage}
          onClick={() => void statement.fetchNextPage()}
        >
          {t('credit.more')}
        </Button>
      )}
      {statement.hasNextPage && pages.length >= maxPages && (
        <Note kind="info">{t('credit.statement.tooLong', { lines: number(maxPages * linesPerPage) })}</Note>
      )}
    </>
  );
}

function ClearButton() {
  const { t } = useTranslation();
  const choose = useChoose();
  return (
    <Button variant="default" onClick={() => choose({ type: '', month: '' })}>
      {t('calls.filters.clear')}
    </Button>
  );
}

export function LinesDownload({ type, month }: Shown) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const where = useWhere({ type, month });
  return (
    <StreamDownloadButton
      text={t('credit.statement.save')}
      stopText={(count) => t('credit.statement.stop', { count, lines: number(count) })}
      save={(format, onLines, signal) => downloadStatement(where, format, onLines, signal)}
    />
  );
}
