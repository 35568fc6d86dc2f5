import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../../api/session.ts';
import type { Contact } from '../../shared/contacts/queries.ts';
import { PhoneNumber, Time } from '../../shared/format/values.tsx';
import { Definition, DefinitionList } from '../../shared/layout/definition-list.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import { ContactCalls } from './contact-calls.tsx';
import classes from './contacts.module.css';

export type ContactTask = 'edit' | 'remove';

export function ContactDetails({
  contact,
  onTask,
}: {
  contact: Contact;
  onTask: (task: ContactTask) => void;
}) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const { number, name, deal, source, updatedAt } = contact;
  return (
    <>
      <DefinitionList>
        <Definition name={t('contacts.columns.number')}>
          <PhoneNumber digits={number} />
        </Definition>
        <Definition name={t('contacts.columns.name')}>{name ?? t('contacts.unnamed')}</Definition>
        <Definition name={t('contacts.columns.deal')}>{deal ?? t('contacts.details.noDeal')}</Definition>
        <Definition name={t('contacts.columns.source')}>{t(`contacts.sources.${source}`)}</Definition>
        <Definition name={t('contacts.details.updated')}>
          <Time iso={updatedAt} />
        </Definition>
      </DefinitionList>
      <p className={classes.lead}>
        {t(source === 'metadata' ? 'contacts.details.automatic' : 'contacts.details.kept')}
      </p>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => onTask('edit')}>
          {t('common.edit')}
        </Button>
        {isAdmin && (
          <Button
            variant="default"
            leftSection={<Icon name="trash" size={16} />}
            onClick={() => onTask('remove')}
          >
            {t('common.remove')}
          </Button>
        )}
      </div>
      <ContactCalls number={number} />
    </>
  );
}
