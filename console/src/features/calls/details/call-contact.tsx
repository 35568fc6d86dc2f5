import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { partyOf } from '../../../../../server/src/platform/party.ts';
import { Icon } from '../../../shared/layout/icons.tsx';
import { formatPhone } from '../../../shared/phone-number/format-phone.ts';
import type { Call } from '../queries.ts';
import classes from './details.module.css';

const ContactDialog = lazy(() =>
  import('../../../shared/contacts/contact-dialog.tsx').then((module) => ({ default: module.ContactDialog })),
);

/** The contact of the other party, or a button that saves one with what the metadata says. */
export function CallContact({ call }: { call: Call }) {
  const { t } = useTranslation();
  const [isSaving, setSaving] = useState(false);
  const { contact } = call;
  const number = externalNumber(call);
  if (contact) {
    return (
      <p className={classes.contact}>
        <Icon name="contacts" size={16} />
        <Link to="/contacts" search={{ contact: contact.id }} title={t('contacts.call.contact')}>
          {contact.name ?? formatPhone(contact.number)}
        </Link>
        {contact.deal && <span>{contact.deal}</span>}
      </p>
    );
  }
  if (number === undefined) return null;
  const close = (): void => setSaving(false);
  return (
    <div className={classes.contact}>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Icon name="contacts" size={14} />}
        onClick={() => setSaving(true)}
      >
        {t('contacts.call.save')}
      </Button>
      {isSaving && (
        <Suspense>
          <ContactDialog number={number} suggested={partyOf(call.metadata)} onSaved={close} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}

/** Returns the telephone number of the other party. */
function externalNumber({ call_type, from, to }: Call): string | undefined {
  if (call_type === 'internal') return undefined;
  const number = call_type === 'inbound' ? from : to;
  return /^\d{8,15}$/.test(number) ? number : undefined;
}
