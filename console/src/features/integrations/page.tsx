import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { Icon } from '../../shared/layout/icons.tsx';
import { Page } from '../../shared/layout/page.tsx';
import { AlertNote, Note, ProblemNote } from '../../shared/problems/problem-note.tsx';
import { Details } from './details.tsx';
import classes from './integrations.module.css';
import { IntegrationList, NoIntegrations } from './list.tsx';
import { useReloadAfter } from './live.ts';
import { healthQuery, integrationsQuery } from './queries.ts';
import type { IntegrationsView } from './view.ts';

function IntegrationsPage() {
  const { t } = useTranslation();
  const { permissions } = useSession();
  if (permissions.webhooks) return <Integrations />;
  return (
    <Page title={t('shell.integrations')}>
      <Note kind="info">{t('integrations.notYours')}</Note>
    </Page>
  );
}

function Integrations() {
  const { t } = useTranslation();
  const view = useSearch({ from: '/shell/integrations' });
  const navigate = useNavigate();
  useReloadAfter('*', healthQuery.queryKey);
  const integrations = useQuery(integrationsQuery);
  const health = useQuery(healthQuery);
  const change = (next: IntegrationsView): void =>
    void navigate({ to: '/integrations', search: next, resetScroll: false });
  const open = integrations.data?.find(({ id }) => id === view.integration);
  const isEmpty = integrations.data?.length === 0;
  const error = integrations.error ?? health.error;
  return (
    <Page title={t('shell.integrations')} actions={!isEmpty && <NewButton />}>
      {error && <ProblemNote error={error} onRetry={() => void [integrations.refetch(), health.refetch()]} />}
      {isEmpty && <NoIntegrations action={<NewButton />} />}
      {view.integration !== undefined && integrations.data && !open && !isEmpty && (
        <AlertNote kind="live">{t('integrations.unknown')}</AlertNote>
      )}
      {integrations.data && !isEmpty && (
        <div className={classes.split} data-open={open !== undefined}>
          <div className={classes.listSide}>
            <IntegrationList integrations={integrations.data} health={health.data} openId={open?.id} />
          </div>
          {open && (
            <Details
              key={open.id}
              integration={open}
              health={health.data?.find(({ integrationId }) => integrationId === open.id)}
              view={view}
              onChange={change}
            />
          )}
        </div>
      )}
    </Page>
  );
}

function NewButton() {
  const { t } = useTranslation();
  return (
    <Button component={Link} to="/integrations/new" leftSection={<Icon name="plus" size={16} />}>
      {t('integrations.create')}
    </Button>
  );
}

export const page = createLazyRoute('/shell/integrations')({ component: IntegrationsPage });
