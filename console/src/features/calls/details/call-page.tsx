import { createLazyRoute, Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/layout/icons.tsx';
import { Page } from '../../../shared/layout/page.tsx';
import { CallDetails } from './call-details.tsx';
import classes from './details.module.css';

/** Call details on a separate, shareable page. */
function CallPage() {
  const { t } = useTranslation();
  const { id } = useParams({ from: '/shell/calls/$id' });
  return (
    <Page
      title={t('calls.details.title')}
      actions={
        <Link to="/calls" className={classes.back}>
          <Icon name="left" size={16} />
          {t('calls.details.all')}
        </Link>
      }
    >
      <CallDetails key={id} id={id} />
    </Page>
  );
}

export const callPage = createLazyRoute('/shell/calls/$id')({ component: CallPage });
