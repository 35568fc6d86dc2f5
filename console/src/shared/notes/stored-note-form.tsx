import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ProblemNote } from '../problems/problem-note.tsx';
import { NoteForm } from './note-form.tsx';
import { dispositionsQuery } from './queries.ts';
import { useStoredNote } from './stored-note.ts';

/** The form with the stored note of a call, which is loaded first. */
export function StoredNoteForm({
  id,
  cancelText,
  onSaved,
  onCancel,
}: {
  id: string;
  cancelText: string;
  onSaved: () => void;
  onCancel: () => void;
}) {
  const { data: call, error, refetch } = useStoredNote(id);
  // The disposition is the first field, which takes the focus.
  const { isPending } = useQuery(dispositionsQuery);
  if (call && !isPending) {
    return <NoteForm id={id} note={call} cancelText={cancelText} onSaved={onSaved} onCancel={onCancel} />;
  }
  return (
    <div data-first="loading" tabIndex={-1}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      <Button variant="default" size="xs" onClick={onCancel}>
        {cancelText}
      </Button>
    </div>
  );
}
