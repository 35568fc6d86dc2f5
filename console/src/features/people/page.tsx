import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../shared/page.tsx';

function PeoplePage() {
  const { t } = useTranslation();
  return <Page title={t('people.title')} />;
}

export const page = createLazyRoute('/shell/people')({ component: PeoplePage });
