import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { PhoneNumber, Time } from '../../shared/format/values.tsx';
import { Definition, DefinitionList } from '../../shared/layout/definition-list.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import classes from './people.module.css';
import { permissionsQuery, type User } from './queries.ts';
import { EmailState } from './user-list.tsx';

/** What can be done with a user. */
export type UserTask = 'edit' | 'permissions' | 'resetFactors' | 'remove';

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
      {user.role === 'USER' && <ShownPermissions user={user} />}
      <div className={classes.actions}>
        <Button variant="default" onClick={() => onTask('edit')}>
          {t('common.edit')}
        </Button>
        {user.role === 'USER' && (
          <Button variant="default" onClick={() => onTask('permissions')}>
            {t('people.permissions.open')}
          </Button>
        )}
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
            {t('people.remove.submit')}
          </Button>
        )}
      </div>
    </>
  );
}

function ShownPermissions({ user }: { user: User }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(permissionsQuery(user.uuid));
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const yesOrNo = (value: boolean): string => t(value ? 'people.permissions.yes' : 'people.permissions.no');
  return (
    <>
      <h3 className={classes.subtitle}>{t('people.permissions.open')}</h3>
      <DefinitionList>
        <Definition name={t('people.permissions.calls')}>
          {t(`people.permissions.views.${data.calls}`)}
        </Definition>
        <Definition name={t('people.permissions.recordings')}>
          {t(`people.permissions.views.${data.recordings}`)}
        </Definition>
        <Definition name={t('people.permissions.supervision')}>{yesOrNo(data.supervision)}</Definition>
        <Definition name={t('people.permissions.money')}>{yesOrNo(data.money)}</Definition>
        <Definition name={t('people.permissions.webhooks')}>{yesOrNo(data.webhooks)}</Definition>
      </DefinitionList>
    </>
  );
}
