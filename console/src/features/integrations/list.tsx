import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { curlWithBody } from '../../shared/format/curl.ts';
import { useFormats } from '../../shared/format/formats.ts';
import { EmptyState } from '../../shared/layout/empty-state.tsx';
import { Panel } from '../../shared/layout/page.tsx';
import { HealthState } from './health-state.tsx';
import classes from './integrations.module.css';
import type { Health, Integration } from './queries.ts';
import { readSettings, urlHost } from './settings/webhook-settings.ts';

export function IntegrationList({
  integrations,
  health,
  openId,
}: {
  integrations: Integration[];
  health: Health[] | undefined;
  openId: number | undefined;
}) {
  const { t } = useTranslation();
  return (
    <ul className={classes.list} aria-label={t('shell.integrations')}>
      {integrations.map((integration) => (
        <Row
          key={integration.id}
          integration={integration}
          health={health?.find(({ integrationId }) => integrationId === integration.id)}
          isOpen={integration.id === openId}
        />
      ))}
    </ul>
  );
}

function Row({
  integration,
  health,
  isOpen,
}: {
  integration: Integration;
  health: Health | undefined;
  isOpen: boolean;
}) {
  const { t } = useTranslation();
  const { id, gateway } = integration;
  const { url, types } = readSettings(integration);
  return (
    <li>
      <Link
        to="/integrations"
        search={{ integration: id }}
        className={classes.row}
        aria-current={isOpen ? 'true' : undefined}
      >
        <span className={classes.rowHead}>
          <strong className={classes.name}>{gateway}</strong>
          {health && <HealthState state={health.state} />}
        </span>
        <span className={classes.host}>{url === '' ? t('integrations.noAddress') : urlHost(url)}</span>
        <span className={`${classes.quiet} ${classes.facts}`}>
          <span>{t('integrations.listens', { count: types.length })}</span>
          {health && <LastSeen health={health} />}
        </span>
      </Link>
    </li>
  );
}

function LastSeen({ health }: { health: Health }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { lastDeliveredAt, recent } = health;
  const { pending, failed } = recent;
  const seen = lastDeliveredAt
    ? t('integrations.lastDelivered', { ago: formats.ago(lastDeliveredAt) })
    : t('integrations.neverDelivered');
  return (
    <>
      <span>{seen}</span>
      {pending > 0 && <span>{t('integrations.pending', { count: pending })}</span>}
      {failed > 0 && <span>{t('integrations.failed', { count: failed })}</span>}
    </>
  );
}

/** Empty state: what a webhook is for, and how to create one. */
export function NoIntegrations({ action }: { action: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Panel>
      <EmptyState
        icon="integrations"
        text={t('integrations.empty')}
        action={action}
        curl={curlWithBody('/integrations', example, 'PATCH')}
      />
    </Panel>
  );
}

const example =
  '{"gateway": "crm", "webhook": true, "metadata": {"webhookUrl": "https://hooks.example.com/disca", "webhookTypes": ["channel-answer", "channel-hangup"]}}';
