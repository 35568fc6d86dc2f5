import { Button, Title } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem, isUnreachable } from '../../api/problem.ts';
import { Copy } from '../../shared/forms/copy-button.tsx';
import { Logo } from '../../shared/layout/logo.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import classes from './full-page.module.css';
import { reloadIfStale } from './stale-build.ts';

const retryMs = 5_000;

/** Error boundary of the router: the service is unreachable, the request was refused, or rendering failed. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const isDown = isUnreachable(error);
  useEffect(() => {
    if (!isDown) return;
    const timer = setInterval(() => void router.invalidate(), retryMs);
    return () => clearInterval(timer);
  }, [isDown, router]);
  useEffect(() => {
    reloadIfStale(error).catch(() => undefined);
  }, [error]);
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <main className={classes.full}>
      <Logo size={40} />
      <Title order={1}>{isDown ? t('shell.down.title') : t('shell.crash.title')}</Title>
      {isProblem(error) && !isDown ? (
        <ProblemNote error={error} onRetry={retry} />
      ) : (
        <>
          <p className={classes.text}>{isDown ? t('shell.down.text') : t('shell.crash.text')}</p>
          <Button onClick={isDown ? retry : () => location.reload()}>
            {isDown ? t('common.tryAgain') : t('shell.crash.action')}
          </Button>
          {error instanceof Error && !isDown && (
            <Copy value={error.stack ?? error.message} label={t('problems.details')} />
          )}
        </>
      )}
    </main>
  );
}
