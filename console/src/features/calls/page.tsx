import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../shared/page.tsx';

function CallsPage() {
  const { t } = useTranslation();
  return <Page title={t('calls.title')} />;
}

export const page = createLazyRoute('/shell/calls')({ component: CallsPage });
