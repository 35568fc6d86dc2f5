import { Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../shared/format/formats.ts';
import { outcomeKey } from '../../../shared/format/outcome-key.ts';
import { Time } from '../../../shared/format/values.tsx';
import { Copy } from '../../../shared/forms/copy-button.tsx';
import { Icon } from '../../../shared/layout/icons.tsx';
import { formatPhone } from '../../../shared/phone-number/format-phone.ts';
import { ProblemNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import { BusyButton } from '../busy-button.tsx';
import classes from '../integrations.module.css';
import { deliveryQuery, type FullDelivery, type ListedDelivery, replayDelivery } from '../queries.ts';
import { shownState } from '../shown-state.ts';
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
  delivery: ListedDelivery;
  isOpen: boolean;
  onOpen: (delivery: string | undefined) => void;
}) {
  const { t } = useTranslation();
  const detailsId = useId();
  const { type, createdAt, isTest, call } = delivery;
  const state = shownState(delivery);
  return (
    <li className={classes.delivery} data-open={isOpen} data-appears="below">
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
        <span className={classes.subject}>
          <strong>{t(`calls.events.${type}`)}</strong>
          {isTest && <span className={classes.test}>{t('integrations.deliveries.test')}</span>}
          {call && (
            <span className={classes.quiet}>
              {`${formatPhone(call.from)} → ${formatPhone(call.to)} · ${t(`calls.types.${call.callType}`)}`}
            </span>
          )}
        </span>
        <Time iso={createdAt} form="shortTime" />
        <Progress delivery={delivery} />
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

/** The last failure, the number of attempts, and whether another one follows. */
function Progress({ delivery }: { delivery: ListedDelivery }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { state, failed, isTest, attemptCount, attempts, nextAttemptAt } = delivery;
  const last = attempts.at(-1);
  const parts = [
    failed && last && t(outcomeKey(last), { status: last.status }),
    attemptCount === 0 && t('calls.noAttempt'),
    attemptCount > 0 && !isTest && t('calls.attempts', { count: attemptCount }),
    failed &&
      state === 'pending' &&
      nextAttemptAt &&
      t('integrations.deliveries.retriedAt', { at: formats.shortTime(nextAttemptAt) }),
    state === 'failed' && !isTest && t('integrations.deliveries.notRetried'),
  ];
  return <span className={classes.quiet}>{parts.filter(Boolean).join(', ')}</span>;
}

/** The rows of the list while it loads. */
export function DeliverySkeletons() {
  return (
    <ul className={classes.deliveries} aria-hidden="true">
      {Array.from({ length: 6 }, (_, index) => index).map((row) => (
        <li key={row} className={classes.delivery}>
          <div className={classes.deliveryHead}>
            <Skeleton height={14} width={72} />
            <Skeleton height={14} width="70%" />
            <Skeleton height={14} width={56} />
            <Skeleton height={14} width="60%" />
          </div>
        </li>
      ))}
    </ul>
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
  const { webhookId, attempts, state, nextAttemptAt, request, isTest, call } = query.data;
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
      {state === 'failed' && request && !isTest && (
        <p className={classes.quiet}>{t('integrations.deliveries.gaveUp')}</p>
      )}
      {request ? (
        <SentRequest
          request={request}
          title={t(isTest ? 'integrations.test.request' : 'integrations.deliveries.request')}
        />
      ) : (
        <p className={classes.quiet}>{t('integrations.deliveries.notShown')}</p>
      )}
      <div className={classes.actions}>
        {request && !isTest && <Replay id={id} delivery={query.data} />}
        {call && (
          <Link to="/calls/$id" params={{ id: call.id }}>
            {t('integrations.explain.openCall')}
          </Link>
        )}
      </div>
    </>
  );
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
