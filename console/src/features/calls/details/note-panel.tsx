import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../api/session.ts';
import { useMayChange } from '../../../shared/calls/may-change.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { Panel } from '../../../shared/layout/page.tsx';
import { hasDraft } from '../../../shared/notes/drafts.ts';
import { NoteForm } from '../../../shared/notes/note-form.tsx';
import { NoteTags } from '../../../shared/notes/note-tags.tsx';
import type { Call } from '../queries.ts';
import classes from './details.module.css';

/** What people wrote about the call. The dispositions to choose from are loaded when the user starts to write. */
export function NotePanel({ call }: { call: Call }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { user } = useSession();
  const [isWriting, setWriting] = useState(() => hasDraft(user.uuid, call.id));
  const mayWrite = useMayChange(call);
  const isEmpty = call.disposition === null && call.note === null && call.tags.length === 0;
  const stop = (): void => setWriting(false);
  if (isEmpty && !mayWrite) return null;
  const start = (
    <Button variant="default" size="xs" onClick={() => setWriting(true)}>
      {t(isEmpty ? 'notes.write' : 'notes.edit')}
    </Button>
  );
  return (
    <Panel title={t('notes.title')} aside={mayWrite && !isWriting && start}>
      {isWriting ? (
        <NoteForm id={call.id} note={call} cancelText={t('common.cancel')} onSaved={stop} onCancel={stop} />
      ) : (
        <>
          {isEmpty && <p className={classes.noted}>{t('notes.empty')}</p>}
          <NoteTags disposition={call.disposition} tags={call.tags} />
          {call.note !== null && <p className={classes.note}>{call.note}</p>}
          {call.noted_at !== null && !isEmpty && (
            <p className={classes.noted}>
              {t(call.noted_by ? 'notes.writtenBy' : 'notes.written', {
                name: call.noted_by?.name,
                time: formats.shortTime(call.noted_at),
              })}
            </p>
          )}
        </>
      )}
    </Panel>
  );
}
