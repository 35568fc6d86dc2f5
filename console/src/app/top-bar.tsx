import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/session.ts';
import { Icon } from '../shared/icons.tsx';
import { Mark } from '../shared/mark.tsx';
import { Credit, LiveCalls } from './now.tsx';
import { isMac, openPalette } from './palette.tsx';
import { PersonMenu } from './person-menu.tsx';
import classes from './top-bar.module.css';

export function TopBar() {
  const { t } = useTranslation();
  const { account } = useSession();
  return (
    <header className={classes.bar}>
      <span className={classes.mark}>
        <Mark size={26} />
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
      <PersonMenu />
    </header>
  );
}
