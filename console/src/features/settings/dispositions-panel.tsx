import { Button, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FieldReader, Form } from '../../shared/forms/form.tsx';
import { Panel } from '../../shared/layout/page.tsx';
import { dispositionsQuery, saveDispositions } from '../../shared/notes/queries.ts';
import { ProblemNote, StatusNote } from '../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import classes from './settings.module.css';

/** The dispositions of the account, one per line. They are loaded when the user starts to edit them. */
export function DispositionsPanel() {
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const start = (
    <Button
      variant="default"
      size="xs"
      onClick={() => {
        setSaved(false);
        setEditing(true);
      }}
    >
      {t('settings.dispositions.edit')}
    </Button>
  );
  return (
    <Panel title={t('settings.dispositions.title')} aside={!isEditing && start}>
      <p className={classes.lead}>{t('settings.dispositions.lead')}</p>
      {isEditing && (
        <DispositionsForm
          onClose={(hasSaved) => {
            setSaved(hasSaved);
            setEditing(false);
          }}
        />
      )}
      {isSaved && <StatusNote kind="good">{t('settings.dispositions.saved')}</StatusNote>}
    </Panel>
  );
}

function DispositionsForm({ onClose }: { onClose: (hasSaved: boolean) => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(dispositionsQuery);
  const save = useMutation({
    mutationFn: saveDispositions,
    onSuccess: (saved) => {
      queryClient.setQueryData(dispositionsQuery.queryKey, saved);
      onClose(true);
    },
  });
  const submit = (field: FieldReader): void =>
    save.mutate(
      field('names')
        .split('\n')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    );
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <p role="status">{t('common.loading')}</p>;
  const hasFaults = Object.keys(faultsByField(t, save.error)).length > 0;
  return (
    <Form className={classes.form} onSubmit={submit}>
      <Textarea
        name="names"
        autosize
        minRows={4}
        maxRows={12}
        label={t('settings.dispositions.names')}
        description={t('settings.dispositions.hint')}
        placeholder={t('settings.dispositions.example')}
        defaultValue={data.names.join('\n')}
        error={hasFaults && t('settings.dispositions.fault')}
      />
      {save.error && !hasFaults && <ProblemNote error={save.error} />}
      <div className={classes.actions}>
        <Button type="submit" loading={save.isPending}>
          {t('common.save')}
        </Button>
        <Button variant="default" onClick={() => onClose(false)}>
          {t('common.cancel')}
        </Button>
      </div>
    </Form>
  );
}
