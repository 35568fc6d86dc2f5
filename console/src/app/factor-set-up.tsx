import { useTranslation } from 'react-i18next';
import { FactorsPanel } from '../features/settings/factors/factors-panel.tsx';
import { Page } from '../shared/layout/page.tsx';
import classes from './shell.module.css';
import { UserMenu } from './top-bar/user-menu.tsx';

/** The only page of a user who must add a second factor first. */
export function FactorSetUp() {
  const { t } = useTranslation();
  return (
    <main id="content" tabIndex={-1} className={classes.setUp}>
      <Page title={t('settings.factors.setUp.title')} actions={<UserMenu />}>
        <p>{t('settings.factors.setUp.lead')}</p>
        <FactorsPanel />
      </Page>
    </main>
  );
}
