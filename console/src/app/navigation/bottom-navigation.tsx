import { Menu, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../locales/language.ts';
import { Icon } from '../../shared/layout/icons.tsx';
import classes from './navigation.module.css';
import { manualUrl, type Screen } from './screens.ts';

const tabCount = 4;

/** Tab bar for narrow screens. Less used screens are in the "more" menu. */
export function BottomNavigation({ screens }: { screens: Screen[] }) {
  const { t } = useTranslation();
  return (
    <nav className={classes.bottom} aria-label={t('shell.navigation')}>
      {screens.slice(0, tabCount).map(({ name, to, icon }) => (
        <Link key={name} to={to} activeOptions={{ exact: to === '/' }} className={classes.tab}>
          <Icon name={icon} size={20} />
          <span>{t(`shell.${name}`)}</span>
        </Link>
      ))}
      <Menu position="top-end" withinPortal={false}>
        <Menu.Target>
          <UnstyledButton className={classes.tab}>
            <Icon name="more" size={20} />
            <span>{t('shell.more')}</span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {screens.slice(tabCount).map(({ name, to, icon }) => (
            <Menu.Item key={name} component={Link} to={to} leftSection={<Icon name={icon} />}>
              {t(`shell.${name}`)}
            </Menu.Item>
          ))}
          <Menu.Item component="a" href={manualUrl(currentLanguage())} leftSection={<Icon name="docs" />}>
            {t('shell.docs')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </nav>
  );
}
