import { Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Time } from '../../../shared/format/values.tsx';
import { Copy } from '../../../shared/forms/copy-button.tsx';
import { Icon } from '../../../shared/layout/icons.tsx';
import { ProblemNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import { BusyButton } from '../busy-button.tsx';
import classes from '../integrations.module.css';
import { type Delivery, deliveryQuery, type FullDelivery, replayDelivery } from '../queries.ts';
import { AttemptEntry } from './attempt.tsx';
import { SentRequest } from './sent-request.tsx';

const icons = { delivered: 'check', pending: 'clock', failed: 'cross' } as const;

export function DeliveryEntry({
  id,
  delivery,
  isOpen,
  onOpen,
}: {
  id: number;
  delivery: Delivery;
  isOpen: boolean;
  onOpen: (delivery: string | undefined) => void;
}) {
  const { t } = useTranslation();
  const detailsId = useId();
  const { type, state, createdAt, attemptCount, attempts } = delivery;
  const last = attempts.at(-1);
  return (
    <li className={classes.delivery} data-open={isOpen}>
      <button
        type="button"
        className={classes.deliveryHead}
        aria-expanded={isOpen}
        aria-controls={isOpen ? detailsId : undefined}
        onClick={() => onOpen(isOpen ? undefined : delivery.id)}
      >
        <span className={classes.state} data-state={state}>
          <Icon name={icons[state]} size={14} />
          {t(`calls.deliveries.${state}`)}
        </span>
        <strong>{t(`calls.events.${type}`)}</strong>
        <Time iso={createdAt} form="shortTime" />
        <span className={classes.quiet}>
          {last &&
            state !== 'delivered' &&
            `${t(`calls.outcomes.${last.outcome}`, { status: last.status })}, `}
          {attemptCount === 0 ? t('calls.noAttempt') : t('calls.attempts', { count: attemptCount })}
        </span>
        <span className={classes.fold} data-open={isOpen}>
          <Icon name="down" size={16} />
        </span>
      </button>
      {isOpen && (
        <div id={detailsId} className={classes.details}>
          <DeliveryDetails id={id} deliveryId={delivery.id} />
        </div>
      )}
    </li>
  );
}

/** A delivery opened by link that is not on the current page of the list. */
export function LinkedDelivery({
  id,
  deliveryId,
  onClose,
}: {
  id: number;
  deliveryId: string;
  onClose: () => void;
}) {
  const query = useQuery(deliveryQuery(id, deliveryId));
  if (query.error) return <ProblemNote error={query.error} />;
  if (!query.data) return <Skeleton height={120} />;
  return (
    <ul className={classes.deliveries}>
      <DeliveryEntry id={id} delivery={query.data} isOpen onOpen={onClose} />
    </ul>
  );
}

function DeliveryDetails({ id, deliveryId }: { id: number; deliveryId: string }) {
  const { t } = useTranslation();
  const query = useQuery(deliveryQuery(id, deliveryId));
  if (query.error && !query.data)
    return <ProblemNote error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton height={120} />;
  const { webhookId, attempts, state, nextAttemptAt, request } = query.data;
  const callId = callIdFrom(query.data);
  return (
    <>
      <p className={classes.webhookId}>
        <code>{webhookId}</code> <Copy value={webhookId} label={t('calls.deliveries.copyId')} />
      </p>
      {attempts.length > 0 && (
        <ol className={classes.attempts} aria-label={t('integrations.deliveries.attempts')}>
          {attempts.map((attempt, index) => (
            <AttemptEntry
              key={attempt.number}
              attempt={attempt}
              isAdvised={index === attempts.length - 1 && state !== 'delivered'}
            />
          ))}
        </ol>
      )}
      {state === 'pending' && nextAttemptAt && (
        <p className={classes.quiet}>
          {t('calls.deliveries.next')} <Time iso={nextAttemptAt} />
        </p>
      )}
      {state === 'failed' && <p className={classes.quiet}>{t('integrations.deliveries.gaveUp')}</p>}
      {request ? (
        <SentRequest request={request} title={t('integrations.deliveries.request')} />
      ) : (
        <p className={classes.quiet}>{t('integrations.deliveries.notKept')}</p>
      )}
      <div className={classes.actions}>
        {request && <Replay id={id} delivery={query.data} />}
        {callId && (
          <Link to="/calls/$id" params={{ id: callId }}>
            {t('integrations.explain.openCall')}
          </Link>
        )}
      </div>
    </>
  );
}

/** Returns the call id; billing events have none. */
function callIdFrom({ type, request }: FullDelivery): string | undefined {
  const isOfCall = type !== 'charge-paid' && type !== 'balance-low';
  return isOfCall && typeof request?.body.id === 'string' ? request.body.id : undefined;
}

/** Delay before reloading, in which the job usually finishes. */
const reloadDelayMs = 1_500;

function Replay({ id, delivery }: { id: number; delivery: FullDelivery }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const replay = useMutation({
    mutationFn: () => replayDelivery(id, delivery.id),
    onSuccess: (renewed) => {
      queryClient.setQueryData(deliveryQuery(id, delivery.id).queryKey, renewed);
      const readAgain = (): void => {
        for (const part of ['delivery', 'deliveries'])
          void queryClient.invalidateQueries({ queryKey: ['integrations', id, part] });
        void queryClient.invalidateQueries({ queryKey: ['integrations', 'health'] });
      };
      setTimeout(readAgain, reloadDelayMs);
    },
  });
  return (
    <>
      <BusyButton
        size="xs"
        variant="default"
        leftSection={<Icon name="refresh" size={14} />}
        isBusy={replay.isPending}
        onPress={() => replay.mutate()}
      >
        {t('integrations.replay.one')}
      </BusyButton>
      {replay.isSuccess && <StatusNote kind="good">{t('integrations.replay.oneAsked')}</StatusNote>}
      {replay.error && <ProblemNote error={replay.error} />}
    </>
  );
}
