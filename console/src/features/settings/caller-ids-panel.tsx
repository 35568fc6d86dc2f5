import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { useIsAdmin } from '../../api/session.ts';
import { type FieldReader, Form } from '../../shared/forms/form.tsx';
import { Panel } from '../../shared/layout/page.tsx';
import { RowSkeletons } from '../../shared/layout/skeletons.tsx';
import { Note, ProblemNote } from '../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import { CallerIdEntry } from './caller-id-entry.tsx';
import { callerIdsQuery } from './queries.ts';
import classes from './settings.module.css';

export function CallerIdsPanel() {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const callerIds = useQuery(callerIdsQuery);
  return (
    <Panel id="caller-ids" title={t('settings.callerIds.title')}>
      <p className={classes.lead}>{t('settings.callerIds.lead')}</p>
      {callerIds.isPending && <RowSkeletons rows={2} />}
      {callerIds.error && <ProblemNote error={callerIds.error} onRetry={() => void callerIds.refetch()} />}
      {callerIds.data?.length === 0 && <Note kind="info">{t('settings.callerIds.empty')}</Note>}
      {callerIds.data && callerIds.data.length > 0 && (
        <ul className={classes.list}>
          {callerIds.data.map((callerId) => (
            <CallerIdEntry key={callerId.id} callerId={callerId} canChange={isAdmin} />
          ))}
        </ul>
      )}
      {isAdmin && <RequestCodeForm />}
    </Panel>
  );
}

function RequestCodeForm() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const request = useMutation({
    mutationFn: ({ number }: { number: string; form: HTMLFormElement }) =>
      unwrap(api.POST('/callerIds', { body: { number } })),
    onSuccess: (_answer, { form }) => {
      form.reset();
      return queryClient.invalidateQueries({ queryKey: callerIdsQuery.queryKey });
    },
  });
  const submit = (field: FieldReader, form: HTMLFormElement): void => {
    request.mutate({ number: field('number').trim(), form });
  };
  const faults = faultsByField(t, request.error);
  return (
    <Form onSubmit={submit} className={classes.form}>
      <div className={classes.inline}>
        <TextInput
          name="number"
          type="tel"
          label={t('settings.callerIds.number')}
          placeholder={t('common.phoneExample')}
          error={faults.number && t('settings.callerIds.faults.number')}
        />
        <Button type="submit" variant="default" loading={request.isPending}>
          {t('settings.callerIds.ask')}
        </Button>
      </div>
      {request.error && !faults.number && <ProblemNote error={request.error} />}
    </Form>
  );
}
