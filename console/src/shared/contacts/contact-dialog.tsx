import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../api/problem.ts';
import { type FieldReader, Form } from '../forms/form.tsx';
import { Dialog, DialogActions } from '../layout/dialog.tsx';
import { formatPhone } from '../phone-number/format-phone.ts';
import { readContactNumbers } from '../phone-number/read-number.ts';
import { AlertNote, ProblemNote } from '../problems/problem-note.tsx';
import classes from './contacts.module.css';
import { contactFaults } from './fault-text.ts';
import { type Contact, lookUpContact, type NewContact, refreshContacts, saveContact } from './queries.ts';

interface ContactDialogProps {
  /** The contact to change. */
  contact?: Contact;
  /** The number of a new contact; the user enters it if there is none. */
  number?: string;
  /** Texts of a new contact. */
  suggested?: { name: string | undefined; deal: string | undefined } | undefined;
  onSaved: (saved: Contact) => void;
  onClose: () => void;
}

const longestNumber = 64;
const longestText = 200;

/** Adds or changes a contact. Warns before an entered number replaces a contact. */
export function ContactDialog({ contact, number, suggested, onSaved, onClose }: ContactDialogProps) {
  const { t } = useTranslation();
  const knownNumber = contact?.number ?? number;
  const { save, replaced, faults } = useSave(knownNumber !== undefined, onSaved);
  const submit = (given: FieldReader): void =>
    save.mutate({
      number: knownNumber ?? given('number').trim(),
      name: given('name').trim() || null,
      deal: given('deal').trim() || null,
    });
  const isRefused = isProblem(save.error) && save.error.code === 'ACCESS_DENIED';
  return (
    <Dialog title={t(contact ? 'contacts.form.editTitle' : 'contacts.form.newTitle')} onClose={onClose}>
      <Form className={classes.form} onSubmit={submit}>
        {knownNumber === undefined ? (
          <TextInput
            name="number"
            type="tel"
            data-autofocus
            autoComplete="off"
            maxLength={longestNumber}
            label={t('contacts.columns.number')}
            description={t('contacts.form.numberHint')}
            placeholder={t('common.phoneExample')}
            error={faults.number}
          />
        ) : (
          <p className={classes.text}>
            <strong>{formatPhone(knownNumber)}</strong>
          </p>
        )}
        <TextInput
          name="name"
          data-autofocus={knownNumber !== undefined || undefined}
          autoComplete="off"
          maxLength={longestText}
          label={t('contacts.columns.name')}
          defaultValue={contact?.name ?? suggested?.name}
          error={faults.name}
        />
        <TextInput
          name="deal"
          autoComplete="off"
          maxLength={longestText}
          label={t('contacts.columns.deal')}
          description={t('contacts.form.dealHint')}
          defaultValue={contact?.deal ?? suggested?.deal}
          error={faults.deal}
        />
        {replaced && <Replaced contact={replaced} />}
        {save.error && Object.keys(faults).length === 0 && (
          <ProblemNote error={save.error} {...(isRefused && { text: t('contacts.form.onlyOwn') })} />
        )}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t(replaced ? 'contacts.form.replace' : 'common.save')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** A saved contact, or one that saving would replace. */
interface Saving {
  saved?: Contact;
  replaced?: Contact;
}

/** Saves a contact. For an entered number that has another contact it stops first, with that one as `replaced`. */
function useSave(isKnown: boolean, onSaved: (saved: Contact) => void) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: async (given: NewContact): Promise<Saving> => {
      if (isKnown) return { saved: await saveContact(given) };
      const number = (await readContactNumbers())(given.number);
      const found = replaced?.number === number ? null : await lookUpContact(number);
      const isChange = found !== null && (found.name !== given.name || found.deal !== given.deal);
      return isChange ? { replaced: found } : { saved: await saveContact({ ...given, number }) };
    },
    onSuccess: ({ saved }) => {
      if (!saved) return;
      refreshContacts(queryClient);
      onSaved(saved);
    },
  });
  const replaced = save.data?.replaced;
  return { save, replaced, faults: contactFaults(t, save.error) };
}

function Replaced({ contact: { name, deal } }: { contact: Contact }) {
  const { t } = useTranslation();
  const shown = [name, deal].filter(Boolean).join(' · ');
  return <AlertNote kind="live">{t('contacts.form.exists', { contact: shown })}</AlertNote>;
}
