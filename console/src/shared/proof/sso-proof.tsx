import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { AlertNote, ProblemNote } from '../problems/problem-note.tsx';
import { visitInWindow } from './sso.ts';

/** Lets a user who logged in with single sign-on prove their identity there. */
export function SsoProof({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const sessions = useQuery({
    queryKey: ['console sessions'],
    queryFn: ({ signal }) => unwrap(api.GET('/users/me/sessions', { signal })),
  });
  const prove = useMutation({
    mutationFn: () =>
      visitInWindow(
        async () => (await unwrap(api.POST('/console/sso/proof', { body: null }))).url,
        AbortSignal.timeout(600_000),
      ),
    onSuccess: ({ isDone }) => {
      if (isDone) onDone();
    },
  });
  if (!sessions.data?.some(({ isCurrent, isSso }) => isCurrent && isSso)) return null;
  return (
    <>
      <Button variant="default" loading={prove.isPending} onClick={() => prove.mutate()}>
        {t('common.proof.sso')}
      </Button>
      {prove.data?.isDone === false && <AlertNote kind="bad">{t('common.proof.ssoFailed')}</AlertNote>}
      {prove.error && <ProblemNote error={prove.error} />}
    </>
  );
}
