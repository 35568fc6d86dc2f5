import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Answer, api, unwrap } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../shared/layout/confirm-dialog.tsx';
import { Panel } from '../../../shared/layout/page.tsx';
import { RowSkeletons } from '../../../shared/layout/skeletons.tsx';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import classes from '../settings.module.css';
import { SessionEntry } from './session-entry.tsx';

export type ConsoleSession = Answer<'/users/me/sessions'>[number];

const sessionsQuery = queryOptions({
  queryKey: ['console sessions'],
  queryFn: ({ signal }) => unwrap(api.GET('/users/me/sessions', { signal })),
});

/** The console sessions of the user, which are loaded when they are opened. */
export function SessionsPanel() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title={t('settings.sessions.title')}>
      <p className={classes.lead}>{t('settings.sessions.lead')}</p>
      {isOpen ? (
        <Sessions />
      ) : (
        <div className={classes.actions}>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('settings.sessions.show')}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function Sessions() {
  const { t } = useTranslation();
  const { data = [], isPending, error, refetch } = useQuery(sessionsQuery);
  const [isEndingOthers, setEndingOthers] = useState(false);
  const refresh = (): void => void refetch();
  if (isPending) return <RowSkeletons rows={2} />;
  if (error) return <ProblemNote error={error} onRetry={refresh} />;
  return (
    <>
      <ul className={classes.list} aria-label={t('settings.sessions.title')}>
        {data.map((session) => (
          <SessionEntry key={session.prefix} session={session} onEnded={refresh} />
        ))}
      </ul>
      {data.length > 1 && (
        <div className={classes.actions}>
          <Button variant="default" onClick={() => setEndingOthers(true)}>
            {t('settings.sessions.endOthers')}
          </Button>
        </div>
      )}
      {isEndingOthers && (
        <ConfirmDialog
          title={t('settings.sessions.endOthersTitle')}
          actionText={t('settings.sessions.endOthers')}
          action={() => unwrap(api.DELETE('/users/me/sessions'))}
          onDone={refresh}
          onClose={() => setEndingOthers(false)}
        >
          <p className={classes.lead}>{t('settings.sessions.endOthersText')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
