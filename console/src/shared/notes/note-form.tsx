import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type FieldReader, Form } from '../forms/form.tsx';
import { ProblemNote } from '../problems/problem-note.tsx';
import { faultsByField } from '../problems/problem-text.ts';
import classes from './notes.module.css';
import { type CallNote, dispositionsQuery, saveNote } from './queries.ts';

/** Disposition, note and tags of a call. */
export function NoteForm({
  id,
  note,
  cancelText,
  onSaved,
  onCancel,
}: {
  id: string;
  note: CallNote;
  cancelText: string;
  onSaved: () => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: dispositions } = useQuery(dispositionsQuery);
  const save = useMutation({
    mutationFn: (body: CallNote) => saveNote(id, body),
    onSuccess: () => {
      // The list follows the event of the change.
      void queryClient.invalidateQueries({ queryKey: ['calls', 'one', id], exact: true });
      onSaved();
    },
  });
  const submit = (field: FieldReader): void =>
    save.mutate({
      disposition: field('disposition') || null,
      note: field('note').trim() || null,
      tags: splitTags(field('tags')),
    });
  const faults = faultsByField(t, save.error);
  const hasFaults = Object.keys(faults).length > 0;
  const names = dispositions?.names ?? [];
  const choices =
    note.disposition && !names.includes(note.disposition) ? [note.disposition, ...names] : names;
  return (
    <Form className={classes.form} aria-label={t('notes.title')} onSubmit={submit}>
      {choices.length > 0 && (
        <NativeSelect
          // The choices are loaded after the field is shown, or with it.
          key={choices.length}
          name="disposition"
          label={t('notes.disposition')}
          defaultValue={note.disposition ?? ''}
          data={[{ value: '', label: t('notes.none') }, ...choices]}
          error={faults.disposition}
        />
      )}
      <Textarea
        name="note"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4000}
        label={t('notes.note')}
        defaultValue={note.note ?? ''}
        error={faults.note}
      />
      <TextInput
        name="tags"
        autoComplete="off"
        label={t('notes.tags')}
        description={t('notes.tagsHint')}
        defaultValue={note.tags.join(', ')}
        error={Object.keys(faults).some((path) => path.startsWith('tags')) && t('notes.tagsFault')}
      />
      {save.error && !hasFaults && <ProblemNote error={save.error} />}
      <div className={classes.actions}>
        <Button type="submit" size="xs" loading={save.isPending}>
          {t('common.save')}
        </Button>
        <Button variant="default" size="xs" onClick={onCancel}>
          {cancelText}
        </Button>
      </div>
    </Form>
  );
}

const splitTags = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
