import { useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Logo } from '../../shared/layout/logo.tsx';
import { Page } from '../../shared/layout/page.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import { BottomNavigation } from '../navigation/bottom-navigation.tsx';
import { commonScreens, screens } from '../navigation/screens.ts';
import { SideNavigation } from '../navigation/side-navigation.tsx';
import classes from '../shell.module.css';
import topBar from '../top-bar/top-bar.module.css';

/** The frame of the pages while the session is over a limit, with the time until it is requested again. */
export function WaitingFrame({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const screen = screens.find(({ to }) => to !== '/' && pathname.startsWith(to));
  return (
    <div className={classes.shell}>
      <header className={topBar.bar}>
        <span className={topBar.mark}>
          <Logo size={26} />
        </span>
      </header>
      <SideNavigation screens={commonScreens} />
      <main className={classes.content}>
        <Page title={t(`shell.${screen?.name ?? 'home'}`)}>
          <ProblemNote error={error} />
        </Page>
      </main>
      <BottomNavigation screens={commonScreens} />
    </div>
  );
}
