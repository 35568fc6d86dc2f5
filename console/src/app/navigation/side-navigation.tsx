import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../locales/language.ts';
import { Icon } from '../../shared/layout/icons.tsx';
import { Logo } from '../../shared/layout/logo.tsx';
import classes from './navigation.module.css';
import { manualUrl, type Screen } from './screens.ts';

export function SideNavigation({ screens }: { screens: Screen[] }) {
  const { t } = useTranslation();
  return (
    <nav className={classes.side} aria-label={t('shell.navigation')}>
      <Link to="/" className={classes.brand}>
        <Logo size={26} />
        <span>Disca</span>
      </Link>
      <ul className={classes.list}>
        {screens.map(({ name, to, icon }) => (
          <li key={name}>
            <Link to={to} activeOptions={{ exact: to === '/' }} className={classes.item}>
              <Icon name={icon} />
              {t(`shell.${name}`)}
            </Link>
          </li>
        ))}
        <li>
          <a href={manualUrl(currentLanguage())} className={classes.item}>
            <Icon name="docs" />
            {t('shell.docs')}
          </a>
        </li>
      </ul>
    </nav>
  );
}
