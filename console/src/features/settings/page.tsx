import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../../api/session.ts';
import { Page } from '../../shared/layout/page.tsx';
import { AccountPanel } from './account-panel.tsx';
import { CallerIdsPanel } from './caller-ids-panel.tsx';
import { DispositionsPanel } from './dispositions-panel.tsx';
import { FactorsPanel } from './factors/factors-panel.tsx';
import { RequiredPanel } from './factors/required-panel.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { RetentionPanel } from './retention-panel.tsx';
import { SessionsPanel } from './sessions/sessions-panel.tsx';
import classes from './settings.module.css';
import { SsoPanel } from './sso/sso-panel.tsx';

function SettingsPage() {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  return (
    <Page title={t('shell.settings')}>
      <div className={classes.columns}>
        <div className={classes.column}>
          <AccountPanel />
          <PasswordPanel />
          {isAdmin && <FactorsPanel />}
          {isAdmin && <SessionsPanel />}
        </div>
        <div className={classes.column}>
          {!isAdmin && <FactorsPanel />}
          {!isAdmin && <SessionsPanel />}
          <CallerIdsPanel />
          {isAdmin && <DispositionsPanel />}
          {isAdmin && <RequiredPanel />}
          {isAdmin && <SsoPanel />}
          {isAdmin && <LimitsPanel />}
          {isAdmin && <RetentionPanel />}
        </div>
      </div>
    </Page>
  );
}

export const page = createLazyRoute('/shell/settings')({ component: SettingsPage });
