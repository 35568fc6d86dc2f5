import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../shared/page.tsx';

function HomePage() {
  const { t } = useTranslation();
  return <Page title={t('home.title')} />;
}

export const page = createLazyRoute('/shell/')({ component: HomePage });
