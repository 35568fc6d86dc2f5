import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../shared/format/formats.ts';
import { Definition } from '../../shared/layout/definition-list.tsx';
import { Panel } from '../../shared/layout/page.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import { FactSkeletons } from './fact-skeletons.tsx';
import { type Limits, limitsQuery } from './queries.ts';
import classes from './settings.module.css';

export function LimitsPanel() {
  const { t } = useTranslation();
  const limits = useQuery(limitsQuery);
  return (
    <Panel title={t('settings.limits.title')}>
      <p className={classes.lead}>{t('settings.limits.lead')}</p>
      {limits.isPending && <FactSkeletons rows={8} />}
      {limits.error && <ProblemNote error={limits.error} onRetry={() => void limits.refetch()} />}
      {limits.data && <AccountLimits calls={limits.data.calls} budgets={limits.data.budgets} />}
      {limits.data && <RequestLimits requests={limits.data.requests} />}
    </Panel>
  );
}

/** Shows the limits of calls, and the budgets that the account has. */
function AccountLimits({ calls, budgets }: Pick<Limits, 'calls' | 'budgets'>) {
  const { t, i18n } = useTranslation();
  const { money, number } = useFormats();
  const countryNames = new Intl.DisplayNames(i18n.language, { type: 'region' });
  const rows: [string, boolean, string][] = [
    [
      t('settings.limits.concurrentCalls'),
      calls.atOnce.isSet,
      t('settings.limits.used', { used: number(calls.atOnce.used), limit: number(calls.atOnce.limit) }),
    ],
    [
      t('settings.limits.perSecond'),
      calls.perSecond.isSet,
      t('settings.limits.upTo', { limit: number(calls.perSecond.limit) }),
    ],
    [
      t('settings.limits.spendPerDay'),
      calls.spendPerDay.isSet,
      t('settings.limits.usedToday', {
        used: money(calls.spendPerDay.used),
        limit: money(calls.spendPerDay.limit),
      }),
    ],
    [
      t('settings.limits.pricePerMinute'),
      calls.pricePerMinute.isSet,
      t('settings.limits.upTo', { limit: money(calls.pricePerMinute.limit) }),
    ],
    [
      t('settings.limits.countries'),
      calls.countries.isSet,
      calls.countries.allowed.map((code) => countryNames.of(code) ?? code).join(', '),
    ],
    // Concurrent calls are above.
    ...budgets.flatMap(({ resource, limit, used, isSet }): [string, boolean, string][] => {
      if (resource === 'calls' || limit === null) return [];
      const text =
        used === null
          ? t('settings.limits.upTo', { limit: number(limit) })
          : t('settings.limits.of', { used: number(used), limit: number(limit) });
      return [[t(`settings.limits.budgets.${resource}`), isSet, text]];
    }),
  ];
  return (
    <dl className={classes.facts}>
      {rows.map(([name, isSet, text]) => (
        <Definition key={name} name={name}>
          {text}
          {isSet && <span className={classes.routes}>{t('settings.limits.set')}</span>}
        </Definition>
      ))}
    </dl>
  );
}

function RequestLimits({ requests }: { requests: Limits['requests'] }) {
  const { t } = useTranslation();
  return (
    <details>
      <summary>{t('settings.limits.requests')}</summary>
      <ul className={classes.list}>
        {requests.map(({ by, requests: count, windowSeconds: seconds, routes }) => (
          <li key={`${by} ${count} ${routes.join()}`} className={classes.entry}>
            {t('settings.limits.requestLimit', { count, seconds, by: t(`settings.limits.by.${by}`) })}
            <span className={classes.routes}>{routes.join(' · ') || t('settings.limits.otherRoutes')}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
