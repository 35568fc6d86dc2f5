import { Logo } from '../../shared/layout/logo.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import { BottomNavigation } from '../navigation/bottom-navigation.tsx';
import { commonScreens } from '../navigation/screens.ts';
import { SideNavigation } from '../navigation/side-navigation.tsx';
import classes from '../shell.module.css';
import topBar from '../top-bar/top-bar.module.css';

/** The frame of the pages while the session is over a limit, with the time until it is requested again. */
export const WaitingFrame = ({ error }: { error: unknown }) => (
  <div className={classes.shell}>
    <header className={topBar.bar}>
      <span className={topBar.mark}>
        <Logo size={26} />
      </span>
    </header>
    <SideNavigation screens={commonScreens} />
    <main className={classes.content}>
      <ProblemNote error={error} />
    </main>
    <BottomNavigation screens={commonScreens} />
  </div>
);
