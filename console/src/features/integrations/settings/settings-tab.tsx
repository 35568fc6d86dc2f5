import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionQuery, useIsAdmin, useSession } from '../../../api/session.ts';
import { Form } from '../../../shared/forms/form.tsx';
import { ProblemNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import type { TabProps } from '../details.tsx';
import { typesFor } from '../event-types.ts';
import classes from '../integrations.module.css';
import {
  healthQuery,
  type Integration,
  integrationsQuery,
  removeIntegration,
  saveIntegration,
} from '../queries.ts';
import { ConstraintFields } from './constraint-fields.tsx';
import { apiFaults, type DraftFaults, isValid, toChange, toDraft, validateDraft } from './draft.ts';
import { EventChoice } from './event-fields.tsx';
import { useCacheSaved } from './switch-button.tsx';
import { UrlFields } from './url-field.tsx';

export function SettingsTab({ integration, onChange }: TabProps) {
  return (
    <>
      <EditForm integration={integration} />
      <Removal integration={integration} onRemoved={() => onChange({})} />
    </>
  );
}

function EditForm({ integration }: { integration: Integration }) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const { account } = useSession();
  const { data: integrations = [] } = useQuery(integrationsQuery);
  const keepSaved = useCacheSaved();
  const [draft, setDraft] = useState(() => toDraft(integration));
  const [draftFaults, setDraftFaults] = useState<DraftFaults>({});
  const save = useMutation({
    mutationFn: () => saveIntegration(toChange(draft, integration)),
    onSuccess: keepSaved,
  });
  const submit = (): void => {
    const others = integrations.filter(({ id }) => id !== integration.id);
    const faults = validateDraft(draft, account.mode === 'live', others);
    setDraftFaults(faults);
    if (isValid(faults)) save.mutate();
  };
  const refused = apiFaults(save.error);
  const props = { draft, onChange: setDraft, faults: { ...refused, ...draftFaults } };
  return (
    <Form className={classes.form} onSubmit={submit}>
      <UrlFields {...props} />
      <EventChoice
        types={typesFor(isAdmin)}
        chosen={draft.types}
        error={draftFaults.types && t('integrations.faults.types.empty')}
        onChange={(types) => setDraft({ ...draft, types })}
        isExplained
      />
      <ConstraintFields {...props} />
      {save.error && isValid(refused) && <ProblemNote error={save.error} />}
      {save.isSuccess && <StatusNote kind="good">{t('common.saved')}</StatusNote>}
      <div className={classes.actions}>
        <Button type="submit" loading={save.isPending}>
          {t('common.save')}
        </Button>
      </div>
    </Form>
  );
}

function Removal({ integration, onRemoved }: { integration: Integration; onRemoved: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { id, gateway } = integration;
  const remove = useMutation({
    mutationFn: () => removeIntegration(id),
    onSuccess: () => {
      queryClient.setQueryData(integrationsQuery.queryKey, (list) => list?.filter((each) => each.id !== id));
      void queryClient.invalidateQueries({ queryKey: healthQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      onRemoved();
    },
  });
  if (!isAsking)
    return (
      <div className={classes.actions}>
        <Button variant="default" size="xs" onClick={() => setAsking(true)}>
          {t('integrations.remove.open')}
        </Button>
      </div>
    );
  return (
    <div className={classes.inset}>
      <p className={classes.plain}>{t('integrations.remove.sure', { name: gateway })}</p>
      <div className={classes.actions}>
        <Button size="xs" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
          {t('common.remove')}
        </Button>
        <Button size="xs" variant="default" onClick={() => setAsking(false)}>
          {t('common.cancel')}
        </Button>
      </div>
      {remove.error && <ProblemNote error={remove.error} />}
    </div>
  );
}
