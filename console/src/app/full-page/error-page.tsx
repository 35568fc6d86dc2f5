import { Button, Title } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem, isUnreachable } from '../../api/problem.ts';
import { Copy } from '../../shared/forms/copy-button.tsx';
import { Mark } from '../../shared/layout/logo.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import classes from './full-page.module.css';
import { reloadIfStale } from './stale-build.ts';

const retryMs = 5_000;

/** Error boundary of the router: the service is unreachable, the request was refused, or rendering failed. */
export function Crash({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const isAway = isUnreachable(error);
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(() => void router.invalidate(), retryMs);
    return () => clearInterval(timer);
  }, [isAway, router]);
  useEffect(() => {
    reloadIfStale(error).catch(() => undefined);
  }, [error]);
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <main className={classes.full}>
      <Mark size={40} />
      <Title order={1}>{isAway ? t('shell.down.title') : t('shell.crash.title')}</Title>
      {isProblem(error) && !isAway ? (
        <ProblemNote error={error} onRetry={retry} />
      ) : (
        <>
          <p className={classes.text}>{isAway ? t('shell.down.text') : t('shell.crash.text')}</p>
          <Button onClick={isAway ? retry : () => location.reload()}>
            {isAway ? t('common.tryAgain') : t('shell.crash.action')}
          </Button>
          {error instanceof Error && !isAway && (
            <Copy value={error.stack ?? error.message} label={t('problems.details')} />
          )}
        </>
      )}
    </main>
  );
}
