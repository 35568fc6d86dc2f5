import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../shared/page.tsx';

function ExtensionsPage() {
  const { t } = useTranslation();
  return <Page title={t('extensions.title')} />;
}

export const page = createLazyRoute('/shell/extensions')({ component: ExtensionsPage });
