import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Definition } from '../../shared/layout/definition-list.tsx';
import { Panel } from '../../shared/layout/page.tsx';
import { FactSkeletons } from './fact-skeletons.tsx';
import { limitsQuery } from './queries.ts';
import classes from './settings.module.css';

/** How long data is kept, and the link to the log of changes. */
export function RetentionPanel() {
  const { t } = useTranslation();
  const { data, isPending } = useQuery(limitsQuery);
  const days = (count: number): string => t('settings.retention.days', { count });
  return (
    <Panel title={t('settings.retention.title')}>
      <p className={classes.lead}>{t('settings.retention.lead')}</p>
      {isPending && <FactSkeletons rows={6} />}
      {data && (
        <dl className={classes.facts}>
          <Definition name={t('settings.retention.calls')}>
            {t('settings.retention.months', { count: data.retention.callMonths })}
          </Definition>
          <Definition name={t('settings.retention.recordings')}>
            {days(data.retention.recordingDays)}
          </Definition>
          <Definition name={t('settings.retention.events')}>{days(data.retention.eventDays)}</Definition>
          <Definition name={t('settings.retention.deliveries')}>
            {days(data.retention.deliveryDays)}
          </Definition>
          <Definition name={t('settings.retention.requests')}>{days(data.retention.requestDays)}</Definition>
          <Definition name={t('settings.retention.kept')}>{t('settings.retention.always')}</Definition>
        </dl>
      )}
      <div className={classes.actions}>
        <Link to="/audit">{t('settings.retention.audit')}</Link>
      </div>
    </Panel>
  );
}
