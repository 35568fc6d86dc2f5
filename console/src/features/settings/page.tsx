import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../shared/page.tsx';

function SettingsPage() {
  const { t } = useTranslation();
  return <Page title={t('settings.title')} />;
}

export const page = createLazyRoute('/shell/settings')({ component: SettingsPage });
