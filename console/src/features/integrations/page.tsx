import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../shared/page.tsx';

function IntegrationsPage() {
  const { t } = useTranslation();
  return <Page title={t('integrations.title')} />;
}

export const page = createLazyRoute('/shell/integrations')({ component: IntegrationsPage });
