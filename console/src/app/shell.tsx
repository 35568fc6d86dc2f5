import { createLazyRoute, Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/session.ts';
import { ProofHost } from '../shared/proof/proof-host.tsx';
import { Connection } from './connection.tsx';
import { BottomNavigation } from './navigation/bottom-navigation.tsx';
import { screensFor } from './navigation/screens.ts';
import { SideNavigation } from './navigation/side-navigation.tsx';
import { Palette } from './palette/palette.tsx';
import { usePhoneSpace } from './phone-space.ts';
import classes from './shell.module.css';
import { TopBar } from './top-bar/top-bar.tsx';

const PhoneDock = lazy(() =>
  import('../features/phone/dock.tsx').then((module) => ({ default: module.PhoneDock })),
);

const FactorSetUp = lazy(() =>
  import('./factor-set-up.tsx').then((module) => ({ default: module.FactorSetUp })),
);

function Shell() {
  const { user } = useSession();
  return (
    <>
      {user.lacksFactor ? (
        <Suspense>
          <FactorSetUp />
        </Suspense>
      ) : (
        <WholeShell />
      )}
      <ProofHost />
    </>
  );
}

function WholeShell() {
  const { t } = useTranslation();
  const session = useSession();
  const screens = screensFor(session);
  const phone = useRef<HTMLDivElement>(null);
  usePhoneSpace(phone);
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        {t('shell.skip')}
      </a>
      {session.account.mode === 'test' && (
        <aside className={classes.ribbon} aria-label={t('shell.testBadge')}>
          {t('shell.testMode')}
        </aside>
      )}
      <TopBar />
      <Connection />
      <SideNavigation screens={screens} />
      <main id="content" tabIndex={-1} className={classes.content}>
        <Outlet />
      </main>
      <BottomNavigation screens={screens} />
      <Palette />
      <div ref={phone} className={classes.phone}>
        <Suspense>
          <PhoneDock />
        </Suspense>
      </div>
    </div>
  );
}

export const shellPage = createLazyRoute('/shell')({ component: Shell });
