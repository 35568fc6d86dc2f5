import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Contact } from '../../shared/contacts/queries.ts';
import { ConfirmDialog } from '../../shared/layout/confirm-dialog.tsx';
import { formatPhone } from '../../shared/phone-number/format-phone.ts';
import type { ContactTask } from './contact-details.tsx';
import classes from './contacts.module.css';
import { removeContact } from './queries.ts';

const ContactDialog = lazy(() =>
  import('../../shared/contacts/contact-dialog.tsx').then((module) => ({ default: module.ContactDialog })),
);
const ImportDialog = lazy(() =>
  import('./import/import-dialog.tsx').then((module) => ({ default: module.ImportDialog })),
);

export type Task = { kind: 'new' | 'import' } | { kind: ContactTask; contact: Contact };

interface TasksProps {
  task: Task | undefined;
  onClose: () => void;
  onSaved: (saved: Contact) => void;
  onRemoved: () => void;
}

/** Dialogs of the screen; the large ones are loaded when they open. */
export const Tasks = ({ task, ...handlers }: TasksProps) => (
  <Suspense>{task && dialogFor(task, handlers)}</Suspense>
);

function dialogFor(task: Task, { onClose, onSaved, onRemoved }: Omit<TasksProps, 'task'>) {
  switch (task.kind) {
    case 'new':
      return <ContactDialog onSaved={onSaved} onClose={onClose} />;
    case 'edit':
      return <ContactDialog contact={task.contact} onSaved={onSaved} onClose={onClose} />;
    case 'import':
      return <ImportDialog onClose={onClose} />;
    case 'remove':
      return <RemoveDialog contact={task.contact} onDone={onRemoved} onClose={onClose} />;
  }
}

interface RemoveProps {
  contact: Contact;
  onDone: () => void;
  onClose: () => void;
}

function RemoveDialog({ contact, ...handlers }: RemoveProps) {
  const { t } = useTranslation();
  const { id, name, number } = contact;
  return (
    <ConfirmDialog
      title={t('contacts.remove.title', { contact: name ?? formatPhone(number) })}
      actionText={t('contacts.remove.submit')}
      action={() => removeContact(id)}
      {...handlers}
    >
      <p className={classes.lead}>{t('contacts.remove.text')}</p>
    </ConfirmDialog>
  );
}
