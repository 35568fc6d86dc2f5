import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRateLimited } from '../../api/problem.ts';
import { sessionQuery } from '../../api/session.ts';
import classes from './full-page.module.css';
import { WaitingFrame } from './waiting-frame.tsx';

const slowMs = 5_000;

export function Loading() {
  const { t } = useTranslation();
  const [isSlow, setIsSlow] = useState(false);
  const { failureReason } = useQuery({ ...sessionQuery, enabled: false });
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), slowMs);
    return () => clearTimeout(timer);
  }, []);
  if (isRateLimited(failureReason)) return <WaitingFrame error={failureReason} />;
  return (
    <div className={classes.full} role="status" aria-label={t('common.loading')}>
      <Loader size="sm" type="dots" />
      {isSlow && <p className={classes.text}>{t('shell.slow')}</p>}
    </div>
  );
}
