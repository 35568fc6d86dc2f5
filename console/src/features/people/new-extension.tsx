import { Skeleton } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionQuery, useSession } from '../../api/session.ts';
import { createExtensionFor } from '../../shared/extensions/create-for-person.ts';
import { ProblemNote, StatusNote } from '../../shared/problems/problem-note.tsx';

/** Creates an extension for a new person and shows its number. A failure can be repeated without the person. */
export function NewExtension({ user }: { user: { name: string; email: string } }) {
  const { t } = useTranslation();
  const { account } = useSession();
  const queryClient = useQueryClient();
  const { mutate, data, error } = useMutation({
    mutationFn: () => createExtensionFor(user, account.name),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['extensions'] });
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    mutate();
  }, [mutate]);
  if (error) return <ProblemNote error={error} onRetry={() => mutate()} />;
  if (!data) return <Skeleton height={44} />;
  return <StatusNote kind="good">{t('people.new.extensionDone', { ramal: data.ramal })}</StatusNote>;
}
