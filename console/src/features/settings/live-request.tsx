import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { useFormats } from '../../shared/format/formats.ts';
import { ProblemNote, StatusNote } from '../../shared/problems/problem-note.tsx';
import { type Account, accountQuery } from './queries.ts';
import classes from './settings.module.css';

/** Asks the operator to switch a test account to live mode, or shows when this was asked. */
export function LiveRequest({ account: { liveRequestedAt } }: { account: Account }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const ask = useMutation({
    mutationFn: () => unwrap(api.POST('/accounts/live-request', {})),
    onSuccess: (account) => queryClient.setQueryData(accountQuery.queryKey, account),
  });
  if (liveRequestedAt)
    return (
      <StatusNote kind="info">
        {t('settings.account.liveRequested', { date: formats.dateTime(liveRequestedAt) })}
      </StatusNote>
    );
  return (
    <div className={classes.liveRequest}>
      <Button size="xs" variant="default" loading={ask.isPending} onClick={() => ask.mutate()}>
        {t('settings.account.requestLive')}
      </Button>
      {ask.error && <ProblemNote error={ask.error} />}
    </div>
  );
}
