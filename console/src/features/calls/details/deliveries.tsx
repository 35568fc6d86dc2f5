import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Time } from '../../../shared/format/values.tsx';
import { Copy } from '../../../shared/forms/copy-button.tsx';
import { Icon } from '../../../shared/layout/icons.tsx';
import { Panel } from '../../../shared/layout/page.tsx';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import type { CallDeliveries, Delivery } from '../queries.ts';
import classes from './details.module.css';
import { useOutcomeText } from './outcome-text.ts';

/** Webhook deliveries of the call with every attempt, or the reasons why none were sent. */
export function Deliveries({
  receivers,
  error,
}: {
  receivers: CallDeliveries[] | undefined;
  error: unknown;
}) {
  const { t } = useTranslation();
  return (
    <Panel title={t('calls.deliveries.title')}>
      {error !== null && <ProblemNote error={error} />}
      {receivers?.length === 0 && (
        <p className={classes.plain}>
          {t('calls.deliveries.none')} <Link to="/integrations">{t('calls.deliveries.create')}</Link>
        </p>
      )}
      {receivers?.map((receiver) => (
        <Receiver key={receiver.integrationId} receiver={receiver} />
      ))}
    </Panel>
  );
}

function Receiver({ receiver }: { receiver: CallDeliveries }) {
  const { t } = useTranslation();
  const { gateway, reasons, deliveries } = receiver;
  return (
    <section className={classes.receiver} aria-label={gateway}>
      <h3 className={classes.receiverName}>{gateway}</h3>
      {deliveries.length === 0 && reasons.length === 0 && (
        <p className={classes.plain}>{t('calls.deliveries.notYet')}</p>
      )}
      {deliveries.length === 0 && reasons.length > 0 && (
        <>
          <p className={classes.plain}>{t('calls.deliveries.why')}</p>
          <ul className={classes.reasons}>
            {reasons.map(({ code, path }) => (
              <li key={`${code} ${path}`}>{t(`calls.reasons.${code}`, { path: path ?? '' })}</li>
            ))}
          </ul>
        </>
      )}
      {deliveries.length > 0 && (
        <ol className={classes.deliveries}>
          {deliveries.map((delivery) => (
            <DeliveryLine key={delivery.id} delivery={delivery} />
          ))}
        </ol>
      )}
    </section>
  );
}

const icons = { delivered: 'check', pending: 'clock', failed: 'cross' } as const;

function DeliveryLine({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation();
  const outcomeText = useOutcomeText();
  const { type, state, failed, attempts, webhookId, nextAttemptAt } = delivery;
  // A delivery whose last attempt failed is shown as failed, also while it is retried.
  const shown = failed ? 'failed' : state;
  return (
    <li className={classes.delivery}>
      <p className={classes.deliveryHead}>
        <span className={classes.deliveryState} data-state={shown}>
          <Icon name={icons[shown]} size={16} />
          {t(`calls.deliveries.${shown}`)}
        </span>
        <strong>{t(`calls.events.${type}`)}</strong>
        <span className={classes.copied}>
          <code className={classes.webhookId}>{webhookId}</code>
          <Copy value={webhookId} label={t('calls.deliveries.copyId')} />
        </span>
      </p>
      <ol className={classes.attempts}>
        {attempts.map((attempt) => (
          <li key={attempt.number} className={classes.attempt}>
            <span className={classes.attemptNumber}>{attempt.number}</span>
            <Time iso={attempt.at} form="time" />
            <span>{outcomeText(attempt)}</span>
          </li>
        ))}
      </ol>
      {state === 'pending' && nextAttemptAt && (
        <p className={classes.next}>
          {t('calls.deliveries.next')} <Time iso={nextAttemptAt} form="shortTime" />
        </p>
      )}
    </li>
  );
}
