import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../shared/page.tsx';

function CreditPage() {
  const { t } = useTranslation();
  return <Page title={t('credit.title')} />;
}

export const page = createLazyRoute('/shell/credit')({ component: CreditPage });
