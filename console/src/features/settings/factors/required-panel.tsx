import { Skeleton, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../../api/client.ts';
import { sessionQuery } from '../../../api/session.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { ConfirmDialog } from '../../../shared/layout/confirm-dialog.tsx';
import { Panel } from '../../../shared/layout/page.tsx';
import { Note, ProblemNote } from '../../../shared/problems/problem-note.tsx';
import { accountQuery } from '../queries.ts';
import classes from '../settings.module.css';
import { adminFactorsQuery } from './queries.ts';

/** Requires a second factor of ADMINs, after a warning which logins would stop. */
export function RequiredPanel() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const account = useQuery(accountQuery);
  const [isAsking, setAsking] = useState(false);
  const save = (secondFactorRequired: boolean) =>
    unwrap(api.PATCH('/accounts', { body: { secondFactorRequired } }));
  const refresh = (): void => {
    for (const { queryKey } of [accountQuery, sessionQuery]) void queryClient.invalidateQueries({ queryKey });
  };
  const switchOff = useMutation({ mutationFn: () => save(false), onSettled: refresh });
  return (
    <Panel title={t('settings.factors.required.title')}>
      {account.isPending && <Skeleton height={80} />}
      {account.data && (
        <Switch
          label={t('settings.factors.required.label')}
          description={t('settings.factors.required.hint')}
          checked={account.data.secondFactorRequired}
          disabled={switchOff.isPending}
          onChange={({ currentTarget: { checked } }) => (checked ? setAsking(true) : switchOff.mutate())}
        />
      )}
      {switchOff.error && <ProblemNote error={switchOff.error} />}
      {isAsking && (
        <ConfirmDialog
          title={t('settings.factors.required.askTitle')}
          actionText={t('settings.factors.required.submit')}
          action={() => save(true)}
          onDone={refresh}
          onClose={() => setAsking(false)}
        >
          <Affected />
        </ConfirmDialog>
      )}
    </Panel>
  );
}

/** The ADMINs without a factor, and whose API logins would stop. */
function Affected() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data, isPending, error, refetch } = useQuery(adminFactorsQuery);
  if (isPending) return <Skeleton height={80} />;
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  const missing = data.admins.filter(({ hasFactor }) => !hasFactor);
  if (missing.length === 0) return <p className={classes.lead}>{t('settings.factors.required.allSet')}</p>;
  return (
    <Note kind="live">
      {t('settings.factors.required.missing')}
      <ul>
        {missing.map(({ uuid, name, lastApiLoginAt }) => (
          <li key={uuid}>
            {name}
            {lastApiLoginAt &&
              ` (${t('settings.factors.required.stops', { date: formats.date(lastApiLoginAt) })})`}
          </li>
        ))}
      </ul>
    </Note>
  );
}
