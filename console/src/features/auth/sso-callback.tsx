import { Loader } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { clearEarly } from '../../api/early.ts';
import { isProblem } from '../../api/problem.ts';
import { sendToTabs } from '../../api/session-messages.ts';
import { ProblemNote, StatusNote } from '../../shared/problems/problem-note.tsx';
import { reportSso, takeNext } from '../../shared/proof/sso.ts';
import { AuthLayout } from './auth-layout.tsx';
import { safeRedirect } from './search.ts';

/** The page to which identity providers send users back. */
function SsoCallback() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isSent = useRef(false);
  const finish = useMutation({
    mutationFn: (query: string) => unwrap(api.POST('/console/sso/callback', { body: { query } })),
    meta: { quiet: true },
    onSuccess: ({ purpose, email }) => {
      if (purpose !== 'login') {
        reportSso({ isDone: true, email });
        window.close();
        return;
      }
      sendToTabs({ kind: 'loggedIn' });
      clearEarly();
      queryClient.clear();
      location.replace(safeRedirect(takeNext()));
    },
    onError: (error) => {
      const reason = isProblem(error) ? error.faults[0]?.message : undefined;
      reportSso({ isDone: false, reason: reason ?? '' });
    },
  });
  const { mutate } = finish;
  useEffect(() => {
    // The code in the query can be used once.
    if (!isSent.current) mutate(location.search.slice(1) || 'empty');
    isSent.current = true;
  }, [mutate]);
  const isElsewhere = finish.data !== undefined && finish.data.purpose !== 'login';
  return (
    <AuthLayout
      title={t('enter.sso.title')}
      links={finish.error ? <Link to="/login">{t('enter.sso.again')}</Link> : null}
    >
      {finish.error && <ProblemNote error={finish.error} />}
      {isElsewhere && <StatusNote kind="good">{t('enter.sso.closeWindow')}</StatusNote>}
      {!finish.error && !isElsewhere && <Loader aria-label={t('common.loading')} />}
    </AuthLayout>
  );
}

export const ssoCallbackPage = createLazyRoute('/sso/callback')({ component: SsoCallback });
