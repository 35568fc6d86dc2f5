import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { Choice } from '../../shared/forms/choice.tsx';
import { Page } from '../../shared/layout/page.tsx';
import { AlertNote, ProblemNote } from '../../shared/problems/problem-note.tsx';
import { Causes } from './causes.tsx';
import { Days, Hours } from './charts.tsx';
import { Endpoints } from './endpoints.tsx';
import { FirstSteps } from './first-steps/first-steps.tsx';
import classes from './home.module.css';
import { useLiveSummaries } from './live.ts';
import { NoCalls } from './no-calls.tsx';
import { monthQuery, type Summary, todayQuery } from './queries.ts';
import { ShortCalls } from './short-calls.tsx';
import { Tiles } from './tiles.tsx';
import { homePeriods } from './view.ts';

function HomePage() {
  const { t } = useTranslation();
  const { account } = useSession();
  const { period = 'today' } = useSearch({ from: '/shell/' });
  const navigate = useNavigate();
  const today = useQuery(todayQuery);
  const month = useQuery(monthQuery(account.timezone));
  useLiveSummaries();
  const problem = today.error ?? month.error;
  const again = (): void => void Promise.all([today.refetch(), month.refetch()]);
  const choose = (chosen: (typeof homePeriods)[number]): void =>
    void navigate({ to: '/', search: chosen === 'today' ? {} : { period: chosen }, replace: true });
  return (
    <Page
      title={t('shell.home')}
      actions={
        <Choice
          label={t('home.period')}
          value={period}
          options={homePeriods.map((value) => ({ value, text: t(`home.periods.${value}`) }))}
          onChange={choose}
        />
      }
    >
      {account.awaitsApproval && <AlertNote kind="live">{t('home.awaitsApproval')}</AlertNote>}
      <FirstSteps />
      {problem && <ProblemNote error={problem} onRetry={again} />}
      <Numbers
        today={today.data}
        month={month.data}
        period={period}
        isPending={(period === 'today' ? today : month).isPending}
      />
    </Page>
  );
}

function Numbers({
  today,
  month,
  period,
  isPending,
}: {
  today: Summary | undefined;
  month: Summary | undefined;
  period: 'today' | 'month';
  isPending: boolean;
}) {
  const { permissions } = useSession();
  const shown = period === 'today' ? today : month;
  const isNew = month !== undefined && today !== undefined && month.totals.calls + today.live.total === 0;
  return (
    <>
      <Tiles shown={shown} live={today?.live} month={month} period={period} isPending={isPending} />
      {isNew ? (
        <NoCalls />
      ) : (
        <div className={classes.charts}>
          <Hours summary={shown} period={period} />
          <Days month={month} today={today} />
        </div>
      )}
      <div className={classes.panels}>
        {!isNew && <Causes summary={shown} period={period} />}
        {!isNew && <ShortCalls summary={shown} month={month} />}
        {permissions.webhooks && <Endpoints />}
      </div>
    </>
  );
}

export const page = createLazyRoute('/shell/')({ component: HomePage });
