import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import classes from '../integrations.module.css';
import { type Integration, secretQuery } from '../queries.ts';
import { Examples } from '../secret/examples.tsx';
import { SecretField } from '../secret/secret-field.tsx';
import { readSettings } from '../settings/webhook-settings.ts';
import { TestWebhook } from '../test-webhook.tsx';
import { StepTitle } from './step-title.tsx';

export function SecretStep({ id, onDone }: { id: number; onDone: () => void }) {
  const { t } = useTranslation();
  const query = useQuery(secretQuery(id));
  return (
    <div className={classes.form}>
      <StepTitle step="secret" />
      {query.error && <ProblemNote error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={40} />}
      {query.data && <SecretField secret={query.data.secret} isShownFirst />}
      <Examples />
      <div className={classes.actions}>
        <Button onClick={onDone}>{t('integrations.wizard.toTest')}</Button>
      </div>
    </div>
  );
}

export function TestStep({ integration, onBack }: { integration: Integration; onBack: () => void }) {
  const { t } = useTranslation();
  const [isDelivered, setDelivered] = useState<boolean>();
  const { id } = integration;
  return (
    <div className={classes.form}>
      <StepTitle step="test" />
      <TestWebhook id={id} types={readSettings(integration).types} onAnswered={setDelivered} />
      {isDelivered && <StatusNote kind="good">{t('integrations.wizard.working')}</StatusNote>}
      <div className={classes.actions}>
        <Button
          renderRoot={(props) => <Link to="/integrations" search={{ integration: id }} {...props} />}
          variant={isDelivered ? 'filled' : 'default'}
        >
          {t(isDelivered ? 'integrations.wizard.done' : 'integrations.wizard.later')}
        </Button>
        {isDelivered === false && (
          <Button
            renderRoot={(props) => (
              <Link to="/integrations" search={{ integration: id, part: 'settings' }} {...props} />
            )}
            variant="default"
          >
            {t('integrations.wizard.fix')}
          </Button>
        )}
        <Button variant="subtle" onClick={onBack}>
          {t('integrations.wizard.back')}
        </Button>
      </div>
    </div>
  );
}
