import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Answer, api, unwrap } from '../../api/client.ts';
import { Form } from '../../shared/forms/form.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import { formatPhone } from '../../shared/phone-number/format-phone.ts';
import { Note, ProblemNote } from '../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import { callerIdsQuery } from './queries.ts';
import classes from './settings.module.css';

type CallerId = Answer<'/callerIds', 'post'>;

export function CallerIdEntry({ callerId, canChange }: { callerId: Partial<CallerId>; canChange: boolean }) {
  const { t } = useTranslation();
  const { id = 0, number = '', status, source } = callerId;
  const isOwned = status === 'owned';
  const ownedText = source === 'operator' ? t('settings.callerIds.assigned') : t('settings.callerIds.owned');
  return (
    <li className={classes.entry}>
      <div className={classes.row}>
        <span>{formatPhone(number)}</span>
        <span className={classes.state} data-owned={isOwned}>
          <Icon name={isOwned ? 'check' : 'clock'} size={14} />
          {isOwned ? ownedText : t('settings.callerIds.pending')}
        </span>
        <span className={classes.grow} />
        {canChange && <Removal id={id} number={number} />}
      </div>
      {canChange && !isOwned && <Verification id={id} number={number} />}
    </li>
  );
}

function Removal({ id, number }: { id: number; number: string }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/callerIds/{id}', { params: { path: { id: String(id) } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: callerIdsQuery.queryKey }),
  });
  const shown = formatPhone(number);
  if (!isAsking)
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('settings.callerIds.remove', { number: shown })}
        onClick={() => setAsking(true)}
      >
        <Icon name="trash" size={16} />
      </ActionIcon>
    );
  return (
    <div className={classes.actions}>
      <span>{t('settings.callerIds.removeSure', { number: shown })}</span>
      <Button size="xs" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
        {t('common.remove')}
      </Button>
      <Button size="xs" variant="default" onClick={() => setAsking(false)}>
        {t('common.cancel')}
      </Button>
      {remove.error && <ProblemNote error={remove.error} />}
    </div>
  );
}

function Verification({ id, number }: { id: number; number: string }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: callerIdsQuery.queryKey });
  const verify = useMutation({
    mutationFn: (code: string) =>
      unwrap(api.POST('/callerIds/{id}/verify', { params: { path: { id: String(id) } }, body: { code } })),
    onSuccess: refresh,
  });
  const again = useMutation({
    mutationFn: () => unwrap(api.POST('/callerIds', { body: { number } })),
    onSuccess: refresh,
  });
  const faults = faultsByField(t, verify.error);
  const error = (faults.code ? null : verify.error) ?? again.error;
  return (
    <>
      <Note kind="live">{t('settings.callerIds.calling')}</Note>
      <Form className={classes.inline} onSubmit={(field) => verify.mutate(field('code').trim())}>
        <TextInput
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          label={t('settings.callerIds.code')}
          aria-label={t('settings.callerIds.codeFor', { number: formatPhone(number) })}
          error={faults.code && t('settings.callerIds.faults.code')}
        />
        <Button type="submit" loading={verify.isPending}>
          {t('settings.callerIds.verify')}
        </Button>
        <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
          {t('settings.callerIds.again')}
        </Button>
      </Form>
      {error && <ProblemNote error={error} />}
    </>
  );
}
