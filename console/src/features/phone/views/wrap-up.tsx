import { useTranslation } from 'react-i18next';
import { StoredNoteForm } from '../../../shared/notes/stored-note-form.tsx';
import classes from '../dock.module.css';

/** Asks how the call went. The user may skip it, and the next call replaces it. */
export function WrapUp({ id, onDone }: { id: string; onDone: () => void }) {
  const { t } = useTranslation();
  return (
    <section className={classes.wrapUp} aria-label={t('notes.ask')}>
      <h3 className={classes.question}>{t('notes.ask')}</h3>
      <StoredNoteForm id={id} cancelText={t('notes.skip')} onSaved={onDone} onCancel={onDone} />
    </section>
  );
}
