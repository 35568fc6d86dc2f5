import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { sendToTabs } from '../../api/session-messages.ts';
import { logOutWith } from '../../shared/before-logout.ts';
import { Dialog } from '../../shared/layout/dialog.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import { clearCachedTimeZone } from '../../shared/time/cached-time-zone.ts';
import { LanguageItems, ThemeItems } from './preferences.tsx';
import classes from './user-menu.module.css';

export function UserMenu() {
  const { t } = useTranslation();
  const logOut = useMutation({
    mutationFn: () => logOutWith(() => unwrap(api.DELETE('/console/session'))),
    onSuccess: () => {
      clearCachedTimeZone();
      sendToTabs({ kind: 'loggedOut' });
      // A full page load discards all in-memory state.
      location.assign('/login');
    },
  });
  return (
    <>
      <UserMenuItems onLogOut={() => logOut.mutate()} />
      {logOut.isError && (
        <Dialog title={t('shell.logoutFailed.title')} onClose={logOut.reset}>
          <p>{t('shell.logoutFailed.text')}</p>
          <ProblemNote error={logOut.error} onRetry={() => logOut.mutate()} />
        </Dialog>
      )}
    </>
  );
}

function UserMenuItems({ onLogOut }: { onLogOut: () => void }) {
  const { t } = useTranslation();
  const { user } = useSession();
  return (
    <Menu position="bottom-end" width={260} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className={classes.person}>
          <VisuallyHidden>{`${t('shell.person')}: ${user.name}`}</VisuallyHidden>
          <span className={classes.initials} aria-hidden="true">
            {initials(user.name)}
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <strong>{user.name}</strong>
          <span className={classes.email}>{user.email}</span>
          <span className={classes.email}>{t(`common.roles.${user.role}`)}</span>
        </div>
        <Menu.Divider />
        <LanguageItems />
        <Menu.Divider />
        <ThemeItems />
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="logOut" />} onClick={onLogOut}>
          {t('shell.logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.[0] ?? '');
  return letters.join('').toUpperCase();
}
