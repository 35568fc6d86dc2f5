import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { Icon } from '../../shared/layout/icons.tsx';
import { Logo } from '../../shared/layout/logo.tsx';
import { isMac, openPalette } from '../palette/palette.tsx';
import { AvailabilityMenu } from './availability-menu.tsx';
import { Credit, LiveCalls } from './live-counters.tsx';
import classes from './top-bar.module.css';
import { UserMenu } from './user-menu.tsx';

export function TopBar() {
  const { t } = useTranslation();
  const { account } = useSession();
  return (
    <header className={classes.bar}>
      <span className={classes.mark}>
        <Logo size={26} />
      </span>
      <span className={classes.account} title={account.name}>
        {account.name}
      </span>
      {account.mode === 'test' && <span className={classes.badge}>{t('shell.testBadge')}</span>}
      <span className={classes.space} />
      <LiveCalls />
      <Credit />
      <UnstyledButton className={classes.palette} onClick={openPalette}>
        <Icon name="search" size={16} />
        <span className={classes.paletteText}>{t('shell.palette.open')}</span>
        <kbd className={classes.keys}>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
      </UnstyledButton>
      <AvailabilityMenu />
      <UserMenu />
    </header>
  );
}
