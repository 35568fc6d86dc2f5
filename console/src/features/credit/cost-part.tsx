import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { StreamDownloadButton } from '../../shared/download/download-button.tsx';
import { useFormats } from '../../shared/format/formats.ts';
import { EmptyState } from '../../shared/layout/empty-state.tsx';
import { RowSkeletons } from '../../shared/layout/skeletons.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import { CostTable } from './cost-table.tsx';
import classes from './credit.module.css';
import { downloadCosts } from './download-costs.ts';
import { costsQuery } from './queries.ts';
import { MonthSelect } from './statement-filters.tsx';

/** Calls of a month and their cost by extension and person. */
export function CostPart({ month }: { month: string }) {
  const { t } = useTranslation();
  const costs = useQuery(costsQuery(month));
  return (
    <>
      <div className={classes.filters}>
        <MonthSelect month={month} />
      </div>
      {costs.isPending && <RowSkeletons rows={4} columns={['4fr', '1fr', '2fr', '2fr']} />}
      {costs.error && <ProblemNote error={costs.error} onRetry={() => void costs.refetch()} />}
      {costs.data &&
        (costs.data.total.calls === 0 ? (
          <EmptyState icon="calls" text={t('credit.costs.empty')} />
        ) : (
          <CostTable costs={costs.data} />
        ))}
    </>
  );
}

export function CostDownload({ month }: { month: string }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  return (
    <StreamDownloadButton
      text={t('credit.statement.save')}
      stopText={(count) => t('credit.statement.stop', { count, lines: number(count) })}
      save={(format, onLines, signal) => downloadCosts(month, format, onLines, signal)}
    />
  );
}
