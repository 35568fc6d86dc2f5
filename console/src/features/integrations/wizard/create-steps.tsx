import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdmin, useSession } from '../../../api/session.ts';
import { Form } from '../../../shared/forms/form.tsx';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import { typesFor } from '../event-types.ts';
import classes from '../integrations.module.css';
import { type Integration, saveIntegration } from '../queries.ts';
import { ConstraintFields } from '../settings/constraint-fields.tsx';
import {
  apiFaults,
  type Draft,
  type DraftFaults,
  isValid,
  toChange,
  validateDraft,
} from '../settings/draft.ts';
import { EventChoice } from '../settings/event-fields.tsx';
import { useCacheSaved } from '../settings/switch-button.tsx';
import { UrlFields } from '../settings/url-field.tsx';
import { StepTitle } from './step-title.tsx';

export function AddressStep({
  draft,
  others,
  onChange,
  onDone,
}: {
  draft: Draft;
  others: Integration[] | undefined;
  onChange: (draft: Draft) => void;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const { account } = useSession();
  const [faults, setFaults] = useState<DraftFaults>({});
  const submit = (): void => {
    const { gateway, url } = validateDraft(draft, account.mode === 'live', others ?? []);
    setFaults({ gateway, url });
    if (isValid({ gateway, url })) onDone();
  };
  return (
    <Form className={classes.form} onSubmit={submit}>
      <StepTitle step="address" />
      <UrlFields draft={draft} faults={faults} onChange={onChange} />
      <div className={classes.actions}>
        {/* The existing names are needed for validation. */}
        <Button type="submit" disabled={others === undefined}>
          {t('integrations.wizard.next')}
        </Button>
      </div>
    </Form>
  );
}

export function EventsStep({
  draft,
  onChange,
  onBack,
  onDone,
}: {
  draft: Draft;
  onChange: (draft: Draft) => void;
  onBack: () => void;
  onDone: (id: number) => void;
}) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const keepSaved = useCacheSaved();
  const [hasNone, setHasNone] = useState(false);
  const create = useMutation({
    mutationFn: () => saveIntegration(toChange(draft)),
    onSuccess: (saved) => {
      keepSaved(saved);
      onDone(saved.id);
    },
  });
  const submit = (): void => {
    setHasNone(draft.types.length === 0);
    if (draft.types.length > 0) create.mutate();
  };
  const refused = apiFaults(create.error);
  return (
    <Form className={classes.form} onSubmit={submit}>
      <StepTitle step="events" />
      {!isAdmin && <p className={classes.hint}>{t('integrations.events.own')}</p>}
      <EventChoice
        types={typesFor(isAdmin)}
        chosen={draft.types}
        error={hasNone ? t('integrations.faults.types.empty') : undefined}
        onChange={(types) => onChange({ ...draft, types })}
        isExplained
      />
      <ConstraintFields draft={draft} faults={refused} onChange={onChange} />
      {create.error && (
        <ProblemNote
          error={create.error}
          {...(refused.url && { text: t(`integrations.faults.url.${refused.url}`) })}
        />
      )}
      <div className={classes.actions}>
        <Button type="submit" loading={create.isPending}>
          {t('integrations.wizard.create')}
        </Button>
        <Button variant="default" onClick={onBack}>
          {t('integrations.wizard.back')}
        </Button>
      </div>
    </Form>
  );
}
