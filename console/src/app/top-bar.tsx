import { useTranslation } from 'react-i18next';
import { useSession } from '../api/session.ts';
import { Mark } from '../shared/mark.tsx';
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
      <span className={classes.account} title={account.domain}>
        {account.name}
      </span>
      {account.mode === 'test' && <span className={classes.badge}>{t('shell.testBadge')}</span>}
      <span className={classes.space} />
      <PersonMenu />
    </header>
  );
}
