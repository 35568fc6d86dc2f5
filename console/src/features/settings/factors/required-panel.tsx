import { Skeleton, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../../api/client.ts';
import { sessionQuery } from '../../../api/session.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { Panel } from '../../../shared/layout/page.tsx';
import { Note, ProblemNote } from '../../../shared/problems/problem-note.tsx';
import classes from '../settings.module.css';
import { adminFactorsQuery } from './queries.ts';

/** Requires a second factor of ADMINs, and warns which logins would stop. */
export function RequiredPanel() {
  const { t } = useTranslation();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const state = useQuery(adminFactorsQuery);
  const save = useMutation({
    mutationFn: (secondFactorRequired: boolean) =>
      unwrap(api.PATCH('/accounts', { body: { secondFactorRequired } })),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: adminFactorsQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  const missing = state.data?.admins.filter(({ hasFactor }) => !hasFactor) ?? [];
  return (
    <Panel title={t('settings.factors.required.title')}>
      {state.isPending && <Skeleton height={80} />}
      {state.error && <ProblemNote error={state.error} onRetry={() => void state.refetch()} />}
      {state.data && (
        <Switch
          label={t('settings.factors.required.label')}
          description={t('settings.factors.required.hint')}
          checked={save.isPending ? save.variables : state.data.isRequired}
          onChange={({ currentTarget: { checked } }) => save.mutate(checked)}
        />
      )}
      {state.data && missing.length === 0 && (
        <p className={classes.lead}>{t('settings.factors.required.allSet')}</p>
      )}
      {missing.length > 0 && (
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
      )}
      {save.error && <ProblemNote error={save.error} />}
    </Panel>
  );
}
