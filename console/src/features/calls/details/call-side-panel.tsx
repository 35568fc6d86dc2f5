import { CloseButton, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useEscape } from '../../../shared/layout/use-escape.ts';
import classes from '../page.module.css';
import { CallDetails } from './call-details.tsx';

export function CallSidePanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  useEscape(onClose);
  return (
    <section
      className={classes.aside}
      aria-label={t('calls.details.title')}
      tabIndex={-1}
      data-appears="beside"
    >
      <div className={classes.asideHead}>
        <Title order={2}>{t('calls.details.title')}</Title>
        <span>
          <Link to="/calls/$id" params={{ id }}>
            {t('calls.details.open')}
          </Link>{' '}
          <CloseButton aria-label={t('common.close')} onClick={onClose} style={{ verticalAlign: 'middle' }} />
        </span>
      </div>
      <CallDetails id={id} isSidePanel />
    </section>
  );
}
