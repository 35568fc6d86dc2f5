import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { PhoneNumber, Time } from '../../shared/format/values.tsx';
import { Definition, DefinitionList } from '../../shared/layout/definition-list.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import classes from './people.module.css';
import type { User } from './queries.ts';
import { EmailState } from './user-list.tsx';

export type UserTask = 'edit' | 'remove' | 'resetFactors';

export function UserDetails({ user, onTask }: { user: User; onTask: (task: UserTask) => void }) {
  const { t } = useTranslation();
  const { user: self } = useSession();
  return (
    <>
      <DefinitionList>
        <Definition name={t('people.columns.email')}>{user.email}</Definition>
        <Definition name={t('people.columns.state')}>
          <EmailState user={user} />
        </Definition>
        <Definition name={t('people.columns.role')}>{t(`common.roles.${user.role}`)}</Definition>
        <Definition name={t('people.form.phone')}>
          <PhoneNumber digits={user.phone} />
        </Definition>
        <Definition name={t('people.form.locale')}>{t(`people.languages.${user.locale}`)}</Definition>
        <Definition name={t('people.since')}>
          <Time iso={user.createdAt} form="date" />
        </Definition>
        <Definition name={t('people.columns.lastLogin')}>
          {user.lastLoginAt ? <Time iso={user.lastLoginAt} /> : t('people.neverLoggedIn')}
        </Definition>
      </DefinitionList>
      <p className={classes.lead}>{t(`people.rights.${user.role}`)}</p>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => onTask('edit')}>
          {t('common.edit')}
        </Button>
        {/* Users manage their own factors under Settings. */}
        {user.uuid !== self.uuid && (
          <Button variant="default" onClick={() => onTask('resetFactors')}>
            {t('people.resetFactors.action')}
          </Button>
        )}
        {/* Users cannot remove themselves. */}
        {user.uuid !== self.uuid && (
          <Button
            variant="default"
            leftSection={<Icon name="trash" size={16} />}
            onClick={() => onTask('remove')}
          >
            {t('common.remove')}
          </Button>
        )}
      </div>
    </>
  );
}
