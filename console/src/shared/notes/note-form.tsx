import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { callQuery } from '../calls/call-query.ts';
import { Form } from '../forms/form.tsx';
import { ProblemNote } from '../problems/problem-note.tsx';
import { faultsByField } from '../problems/problem-text.ts';
import { useDraft } from './drafts.ts';
import classes from './notes.module.css';
import { type CallNote, dispositionsQuery, saveNote } from './queries.ts';

/**
 * Disposition, note and tags of a call. Fields that the user did not change show the stored note, so that saving does
 * not revert what was written elsewhere.
 */
export function NoteForm({
  id,
  note,
  cancelText,
  onSaved,
  onCancel,
}: {
  id: string;
  /** The stored note. */
  note: CallNote;
  cancelText: string;
  onSaved: () => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: dispositions } = useQuery(dispositionsQuery);
  const { draft, change, discard } = useDraft(useSession().user.uuid, id);
  const save = useMutation({
    mutationFn: (body: CallNote) => saveNote(id, body),
    onSuccess: (saved) => {
      const { queryKey } = callQuery(id);
      queryClient.setQueryData(queryKey, (call) => call && { ...call, ...saved });
      // Who wrote it, and when. The list follows the event of the change.
      void queryClient.invalidateQueries({ queryKey, exact: true });
      discard();
      onSaved();
    },
  });
  const shown = {
    disposition: note.disposition ?? '',
    note: note.note ?? '',
    tags: note.tags.join(', '),
    ...draft,
  };
  const submit = (): void =>
    save.mutate({
      disposition: shown.disposition || null,
      note: shown.note.trim() || null,
      tags: splitTags(shown.tags),
    });
  const cancel = (): void => {
    discard();
    onCancel();
  };
  const faults = faultsByField(t, save.error);
  const hasFaults = Object.keys(faults).length > 0;
  const names = dispositions?.names ?? [];
  const kept = [note.disposition, shown.disposition].filter((each) => each && !names.includes(each));
  const choices = [...new Set(kept as string[]), ...names];
  return (
    <Form className={classes.form} aria-label={t('notes.title')} onSubmit={submit}>
      {choices.length > 0 && (
        <NativeSelect
          data-first
          label={t('notes.disposition')}
          value={shown.disposition}
          onChange={({ currentTarget }) => change({ disposition: currentTarget.value })}
          data={[{ value: '', label: t('notes.none') }, ...choices]}
          error={faults.disposition}
        />
      )}
      <Textarea
        data-first
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4000}
        label={t('notes.note')}
        value={shown.note}
        onChange={({ currentTarget }) => change({ note: currentTarget.value })}
        error={faults.note}
      />
      <TextInput
        autoComplete="off"
        label={t('notes.tags')}
        description={t('notes.tagsHint')}
        value={shown.tags}
        onChange={({ currentTarget }) => change({ tags: currentTarget.value })}
        error={Object.keys(faults).some((path) => path.startsWith('tags')) && t('notes.tagsFault')}
      />
      {save.error && !hasFaults && <ProblemNote error={save.error} />}
      <div className={classes.actions}>
        <Button type="submit" size="xs" loading={save.isPending}>
          {t('common.save')}
        </Button>
        <Button variant="default" size="xs" onClick={cancel}>
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
