import { Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './full-page.module.css';

export function Loading() {
  const { t } = useTranslation();
  return (
    <div className={classes.full} role="status" aria-label={t('common.loading')}>
      <Loader size="sm" type="dots" />
    </div>
  );
}
