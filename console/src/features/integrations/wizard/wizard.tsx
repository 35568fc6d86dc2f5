import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/layout/icons.tsx';
import { Page, Panel } from '../../../shared/layout/page.tsx';
import { AlertNote, ProblemNote } from '../../../shared/problems/problem-note.tsx';
import classes from '../integrations.module.css';
import { integrationsQuery } from '../queries.ts';
import { emptyDraft } from '../settings/draft.ts';
import { AddressStep, EventsStep } from './create-steps.tsx';
import { SecretStep, TestStep } from './finish-steps.tsx';
import { StepList } from './step-list.tsx';

/** Creates a webhook in four steps. The URL contains the id of the integration once it is created. */
function Wizard() {
  const { t } = useTranslation();
  const { integration: createdId, step } = useSearch({ from: '/shell/integrations/new' });
  const navigate = useNavigate();
  const integrations = useQuery(integrationsQuery);
  const [draft, setDraft] = useState(emptyDraft);
  const [isAddressed, setAddressed] = useState(false);
  const created = integrations.data?.find(({ id }) => id === createdId);
  const go = (search: { integration: number; step?: 'test' }): void =>
    void navigate({ to: '/integrations/new', search, replace: createdId === undefined });
  const before = isAddressed ? 1 : 0;
  const current = createdId === undefined ? before : step === 'test' ? 3 : 2;
  return (
    <Page
      title={t('integrations.wizard.title')}
      actions={
        <Link to="/integrations" className={classes.all}>
          <Icon name="left" size={16} />
          {t('integrations.all')}
        </Link>
      }
    >
      <div className={classes.wizard}>
        <StepList current={current} />
        {integrations.error && (
          <ProblemNote error={integrations.error} onRetry={() => void integrations.refetch()} />
        )}
        {integrations.data && createdId !== undefined && !created && (
          <AlertNote kind="live">{t('integrations.unknown')}</AlertNote>
        )}
        <Panel>
          {current === 0 && (
            <AddressStep
              draft={draft}
              others={integrations.data}
              onChange={setDraft}
              onDone={() => setAddressed(true)}
            />
          )}
          {current === 1 && (
            <EventsStep
              draft={draft}
              onChange={setDraft}
              onBack={() => setAddressed(false)}
              onDone={(integration) => go({ integration })}
            />
          )}
          {current === 2 && created && (
            <SecretStep id={created.id} onDone={() => go({ integration: created.id, step: 'test' })} />
          )}
          {current === 3 && created && (
            <TestStep integration={created} onBack={() => go({ integration: created.id })} />
          )}
        </Panel>
      </div>
    </Page>
  );
}

export const wizardPage = createLazyRoute('/shell/integrations/new')({ component: Wizard });
