import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Contact } from '../../shared/contacts/queries.ts';
import { PhoneNumber } from '../../shared/format/values.tsx';
import { moveFocus } from '../../shared/layout/move-focus.ts';
import classes from './contacts.module.css';
import { type ContactsView, toSearch } from './view.ts';

const columns = ['name', 'number', 'deal', 'source'] as const;

export function ContactList({ contacts, view }: { contacts: Contact[]; view: ContactsView }) {
  const { t } = useTranslation();
  return (
    <table className={classes.table} aria-label={t('shell.contacts')}>
      <thead className={classes.names}>
        <tr className={classes.columns}>
          {columns.map((column) => (
            <th key={column} scope="col">
              {t(`contacts.columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody onKeyDown={moveFocus}>
        {contacts.map((contact) => (
          <Line key={contact.id} contact={contact} view={view} />
        ))}
      </tbody>
    </table>
  );
}

function Line({
  contact: { id, name, number, deal, source },
  view,
}: {
  contact: Contact;
  view: ContactsView;
}) {
  const { t } = useTranslation();
  const isOpen = view.contact === id;
  return (
    <tr className={classes.line} data-open={isOpen}>
      <td className={classes.name} title={name ?? undefined}>
        <Link
          to="/contacts"
          search={toSearch({ ...view, contact: id })}
          resetScroll={false}
          className={classes.link}
          data-unnamed={name === null || undefined}
          aria-current={isOpen || undefined}
        >
          {name ?? t('contacts.unnamed')}
        </Link>
      </td>
      <td className={classes.number}>
        <PhoneNumber digits={number} />
      </td>
      <td className={classes.deal} title={deal ?? undefined}>
        {deal}
      </td>
      <td className={classes.source}>{t(`contacts.sources.${source}`)}</td>
    </tr>
  );
}
