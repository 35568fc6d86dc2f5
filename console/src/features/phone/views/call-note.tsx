import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../api/session.ts';
import { hasDraft } from '../../../shared/notes/drafts.ts';
import { StoredNoteForm } from '../../../shared/notes/stored-note-form.tsx';
import classes from '../dock.module.css';

/** Lets the user write about the call while it runs. Text that is not saved by its end is in the wrap-up. */
export function CallNote({ id }: { id: string }) {
  const { t } = useTranslation();
  const { user } = useSession();
  const [isWriting, setWriting] = useState(() => hasDraft(user.uuid, id));
  const stop = (): void => setWriting(false);
  if (!isWriting) {
    return (
      <Button variant="default" size="xs" onClick={() => setWriting(true)}>
        {t('notes.write')}
      </Button>
    );
  }
  return (
    <section className={classes.wrapUp} aria-label={t('notes.title')}>
      <StoredNoteForm id={id} cancelText={t('common.cancel')} onSaved={stop} onCancel={stop} />
    </section>
  );
}
