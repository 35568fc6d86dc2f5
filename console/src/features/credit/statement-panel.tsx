import { Button, NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { apiPath } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { StreamDownloadButton } from '../../shared/download/download-button.tsx';
import { useFormats } from '../../shared/format/formats.ts';
import { EmptyState } from '../../shared/layout/empty-state.tsx';
import { Panel } from '../../shared/layout/page.tsx';
import { RowSkeletons } from '../../shared/layout/skeletons.tsx';
import { Note, ProblemNote } from '../../shared/problems/problem-note.tsx';
import classes from './credit.module.css';
import { downloadStatement } from './download-statement.ts';
import { linesPerPage, maxPages, statementQuery } from './queries.ts';
import { StatementTable } from './statement-table.tsx';
import { TopUpButton } from './top-up-button.tsx';
import { type CreditSearch, lineTypes, recentMonths, toWhere, validateSearch } from './view.ts';

const curl = (): string =>
  `curl '${location.origin}${apiPath}/accounts/statement?page=1' -H "Authorization: Bearer $TOKEN"`;

/** All ledger entries of the account, newest first. */
export function StatementPanel() {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { account } = useSession();
  const { type, month } = useSearch({ from: '/shell/credit' });
  const where = useMemo(
    () => toWhere({ ...(type && { type }), ...(month && { month }) }, account.timezone),
    [type, month, account.timezone],
  );
  const statement = useInfiniteQuery(statementQuery(where));
  const pages = statement.data?.pages ?? [];
  const lines = pages.flatMap(({ items }) => items);
  const isFiltered = type !== undefined || month !== undefined;
  return (
    <Panel
      title={t('credit.statement.title')}
      aside={
        <StreamDownloadButton
          text={t('credit.statement.save')}
          stopText={(count) => t('credit.statement.stop', { count, lines: number(count) })}
          save={(format, onLines, signal) => downloadStatement(where, format, onLines, signal)}
        />
      }
    >
      <Filters type={type} month={month} />
      {statement.isPending && <RowSkeletons rows={6} columns={['3fr', '5fr', '2fr', '2fr']} />}
      {statement.error && <ProblemNote error={statement.error} onRetry={() => void statement.refetch()} />}
      {statement.data && lines.length === 0 && (
        <EmptyState
          icon="docs"
          text={t(isFiltered ? 'credit.statement.nothing' : 'credit.statement.empty')}
          {...(!isFiltered && { action: <TopUpButton />, curl: curl() })}
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
    </Panel>
  );
}

function Filters({ type, month }: Pick<CreditSearch, 'type' | 'month'>) {
  const { t, i18n } = useTranslation();
  const { account } = useSession();
  const navigate = useNavigate();
  const monthName = new Intl.DateTimeFormat(i18n.language, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const months = [...new Set([...recentMonths(account.timezone), ...(month ? [month] : [])])];
  const { charge } = useSearch({ from: '/shell/credit' });
  const choose = (change: Record<string, string>): void => {
    const search = validateSearch({ charge, type, month, ...change });
    void navigate({ to: '/credit', search, resetScroll: false });
  };
  return (
    <div className={classes.filters}>
      <NativeSelect
        label={t('credit.statement.month')}
        value={month ?? ''}
        onChange={(event) => choose({ month: event.currentTarget.value })}
        data={[
          { value: '', label: t('credit.statement.allMonths') },
          ...months.map((each) => ({ value: each, label: monthName.format(new Date(`${each}-01`)) })),
        ]}
      />
      <NativeSelect
        label={t('credit.statement.type')}
        value={type ?? ''}
        onChange={(event) => choose({ type: event.currentTarget.value })}
        data={[
          { value: '', label: t('credit.statement.allTypes') },
          ...lineTypes.map((each) => ({ value: each, label: t(`credit.types.${each}`) })),
        ]}
      />
    </div>
  );
}
