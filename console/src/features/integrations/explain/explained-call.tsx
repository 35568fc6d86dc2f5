import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../../api/problem.ts';
import { Time } from '../../../shared/format/values.tsx';
import { ProblemNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import classes from '../integrations.module.css';
import { type Delivery, explainCallQuery, type Integration } from '../queries.ts';
import { ReasonText } from './reason-text.tsx';

/** Deliveries of one call to this integration, or every reason why there are none. */
export function ExplainedCall({ integration, callId }: { integration: Integration; callId: string }) {
  const { t } = useTranslation();
  const query = useQuery(explainCallQuery(integration.id, callId));
  if (query.error) {
    const isUnknown = isProblem(query.error) && query.error.status === 404;
    return (
      <ProblemNote error={query.error} {...(isUnknown && { text: t('integrations.explain.unknownCall') })} />
    );
  }
  if (!query.data) return <Skeleton height={80} />;
  const { receiver, metadata } = query.data;
  const { reasons = [], deliveries = [] } = receiver ?? {};
  const lead = chooseLead(reasons.length, deliveries);
  return (
    <section className={classes.answer} aria-label={t('integrations.explain.callAnswer')}>
      <StatusNote kind={lead === 'sent' || lead === 'soon' ? 'good' : 'live'}>
        <p className={classes.plain}>
          <strong>{t(`integrations.explain.${lead}`)}</strong>
        </p>
        {reasons.length > 0 && (
          <ul className={classes.reasons}>
            {reasons.map((reason) => (
              <li key={`${reason.code} ${reason.path}`}>
                <ReasonText integration={integration} reason={reason} metadata={metadata} />
              </li>
            ))}
          </ul>
        )}
        <Link to="/calls/$id" params={{ id: callId }}>
          {t('integrations.explain.openCall')}
        </Link>
      </StatusNote>
      {deliveries.length > 0 && <SentList integrationId={integration.id} deliveries={deliveries} />}
    </section>
  );
}

function chooseLead(reasons: number, deliveries: Delivery[]): 'notSent' | 'sent' | 'tried' | 'soon' {
  if (reasons > 0) return 'notSent';
  if (deliveries.length === 0) return 'soon';
  return deliveries.some(({ state }) => state === 'delivered') ? 'sent' : 'tried';
}

function SentList({ integrationId, deliveries }: { integrationId: number; deliveries: Delivery[] }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.sample}>
      {deliveries.map(({ id, type, state, createdAt }) => (
        <li key={id}>
          <Link to="/integrations" search={{ integration: integrationId, delivery: id }}>
            {t(`calls.events.${type}`)}
          </Link>{' '}
          {t(`calls.deliveries.${state}`)} · <Time iso={createdAt} />
        </li>
      ))}
    </ul>
  );
}
