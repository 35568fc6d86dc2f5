import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../shared/format/formats.ts';
import { Icon } from '../../shared/layout/icons.tsx';
import { Panel } from '../../shared/layout/page.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import classes from './home.module.css';
import { type Health, healthQuery } from './queries.ts';

/** Failing webhook endpoints, or a note that all are healthy. */
export function Endpoints() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(healthQuery);
  const bad = (data ?? []).filter(({ state }) => state === 'failing' || state === 'disabled');
  const sending = (data ?? []).filter(({ state }) => state !== 'off');
  return (
    <Panel
      title={t('home.endpoints.title')}
      aside={
        <Link to="/integrations" className={classes.aside}>
          {t('home.endpoints.open')}
        </Link>
      }
    >
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data && sending.length === 0 && <p className={classes.quiet}>{t('home.endpoints.none')}</p>}
      {bad.length === 0 && sending.length > 0 && (
        <p className={classes.well}>
          <Icon name="check" size={16} />
          {t('home.endpoints.healthy', { count: sending.length })}
        </p>
      )}
      <ul className={classes.endpoints}>
        {bad.map((endpoint) => (
          <Endpoint key={endpoint.integrationId} endpoint={endpoint} />
        ))}
      </ul>
    </Panel>
  );
}

function Endpoint({ endpoint }: { endpoint: Health }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { gateway, host, state, failingSince, disabledAt, lastFailure, lastFailureStatus } = endpoint;
  const since = state === 'disabled' ? disabledAt : failingSince;
  const what = lastFailure && t(`calls.outcomes.${lastFailure}`, { status: lastFailureStatus });
  return (
    <li className={classes.endpoint}>
      <span className={classes.endpointIcon}>
        <Icon name="warning" size={16} />
      </span>
      <div>
        <strong>{gateway}</strong> {host && <code className={classes.host}>{host}</code>}
        <br />
        {t(`home.endpoints.${state === 'disabled' ? 'disabled' : 'failing'}`, {
          since: since ? formats.shortTime(since) : '',
        })}
        {what && ` · ${what}`}
      </div>
    </li>
  );
}
