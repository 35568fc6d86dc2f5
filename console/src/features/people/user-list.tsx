import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { useFormats } from '../../shared/format/formats.ts';
import { Icon } from '../../shared/layout/icons.tsx';
import { moveFocus } from '../../shared/layout/move-focus.ts';
import classes from './people.module.css';
import type { User } from './queries.ts';
import type { PeopleView } from './view.ts';

const columns = ['name', 'email', 'role', 'state', 'lastLogin'] as const;

export function UserList({ users, view }: { users: User[]; view: PeopleView }) {
  const { t } = useTranslation();
  return (
    <table className={classes.table} data-list="users" aria-label={t('people.users')}>
      <thead className={classes.names}>
        <tr className={classes.columns}>
          {columns.map((column) => (
            <th key={column} scope="col">
              {t(`people.columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody onKeyDown={moveFocus}>
        {users.map((user) => (
          <Line key={user.uuid} user={user} view={view} />
        ))}
      </tbody>
    </table>
  );
}

function Line({ user, view }: { user: User; view: PeopleView }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { user: self } = useSession();
  const isOpen = view.person === user.uuid;
  return (
    <tr className={classes.line} data-open={isOpen}>
      <td className={classes.name} title={user.name}>
        <Link
          to="/people"
          search={{ ...view, person: user.uuid }}
          resetScroll={false}
          className={classes.link}
          aria-current={isOpen || undefined}
        >
          {user.name}
          {user.uuid === self.uuid && ` (${t('people.you')})`}
        </Link>
      </td>
      <td className={classes.email} title={user.email}>
        {user.email}
      </td>
      <td className={classes.role}>{t(`common.roles.${user.role}`)}</td>
      <td className={classes.state}>
        <EmailState user={user} />
      </td>
      <td className={classes.lastLogin}>
        {user.lastLoginAt ? formats.ago(user.lastLoginAt) : t('people.neverLoggedIn')}
      </td>
    </tr>
  );
}

export function EmailState({ user }: { user: User }) {
  const { t } = useTranslation();
  return (
    <span className={classes.mark} data-verified={user.emailVerified}>
      <Icon name={user.emailVerified ? 'check' : 'clock'} size={14} />
      {t(user.emailVerified ? 'people.verified' : 'people.unverified')}
    </span>
  );
}
