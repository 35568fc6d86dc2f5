import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/layout/empty-state.tsx';
import { Icon } from '../../../shared/layout/icons.tsx';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import type { TabProps } from '../details.tsx';
import classes from '../integrations.module.css';
import { deliveriesQuery } from '../queries.ts';
import type { IntegrationsView } from '../view.ts';
import { DeliveryEntry, DeliverySkeletons, LinkedDelivery } from './delivery.tsx';
import { Filters } from './filters.tsx';
import { ReplayWindow } from './replay-window.tsx';

export function DeliveriesTab(props: TabProps) {
  const { integration, view, onChange } = props;
  const { id } = integration;
  const [isReplaying, setReplaying] = useState(false);
  const { t } = useTranslation();
  const query = useQuery(deliveriesQuery(id, view));
  const open = (delivery: string | undefined): void => {
    const { delivery: _, ...rest } = view;
    onChange({ ...rest, ...(delivery && { delivery }) });
  };
  const rows = query.data?.rows ?? [];
  const isListed = rows.some((row) => row.id === view.delivery);
  return (
    <>
      <div className={classes.bar}>
        <Filters view={view} onChange={onChange} />
        <Button
          variant="default"
          leftSection={<Icon name="refresh" size={16} />}
          aria-expanded={isReplaying}
          onClick={() => setReplaying(!isReplaying)}
        >
          {t('integrations.replay.open')}
        </Button>
      </div>
      {isReplaying && <ReplayWindow integration={integration} />}
      {query.error && <ProblemNote error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <DeliverySkeletons />}
      {query.data && view.delivery && !isListed && (
        <LinkedDelivery id={id} deliveryId={view.delivery} onClose={() => open(undefined)} />
      )}
      {query.data && rows.length === 0 && <Nothing view={view} onChange={onChange} />}
      <ul className={classes.deliveries}>
        {rows.map((delivery) => (
          <DeliveryEntry
            key={delivery.id}
            id={id}
            delivery={delivery}
            isOpen={delivery.id === view.delivery}
            onOpen={open}
          />
        ))}
      </ul>
      <Pages view={view} hasMore={query.data?.hasMore ?? false} onChange={onChange} />
    </>
  );
}

/** Leads to a test, or back to all deliveries. */
function Nothing({ view, onChange }: Pick<TabProps, 'view' | 'onChange'>) {
  const { t } = useTranslation();
  const { integration } = view;
  const all: IntegrationsView = integration === undefined ? {} : { integration };
  const isFiltered = view.state || view.type || view.call;
  return (
    <EmptyState
      icon="send"
      text={t(isFiltered ? 'integrations.deliveries.noMatch' : 'integrations.deliveries.none')}
      action={
        <Button variant="default" onClick={() => onChange(isFiltered ? all : { ...all, part: 'test' })}>
          {t(isFiltered ? 'calls.filters.clear' : 'integrations.test.send')}
        </Button>
      }
    />
  );
}

function Pages({
  view,
  hasMore,
  onChange,
}: Pick<TabProps, 'view' | 'onChange'> & {
  hasMore: boolean;
}) {
  const { t } = useTranslation();
  const { page = 1, delivery: _, ...rest } = view;
  if (page === 1 && !hasMore) return null;
  const go = (to: number): void => onChange({ ...rest, ...(to > 1 && { page: to }) });
  return (
    <nav className={classes.pages} aria-label={t('integrations.deliveries.pages')}>
      <Button variant="default" size="xs" disabled={page === 1} onClick={() => go(page - 1)}>
        {t('integrations.deliveries.newer')}
      </Button>
      <span>{t('integrations.deliveries.page', { page })}</span>
      <Button variant="default" size="xs" disabled={!hasMore} onClick={() => go(page + 1)}>
        {t('integrations.deliveries.older')}
      </Button>
    </nav>
  );
}
