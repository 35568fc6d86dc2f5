import { Button, NativeSelect, Skeleton, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { type FieldReader, Form } from '../../shared/forms/form.tsx';
import { Dialog, DialogActions } from '../../shared/layout/dialog.tsx';
import { Note, ProblemNote } from '../../shared/problems/problem-note.tsx';
import classes from './people.module.css';
import { type Permissions, permissionsQuery, type User } from './queries.ts';

type Wanted = Omit<Permissions, 'isDecided'>;

/** Sets what a user sees and may do. */
export function PermissionsDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(permissionsQuery(user.uuid));
  return (
    <Dialog title={t('people.permissions.title', { name: user.name })} onClose={onClose}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data ? (
        <PermissionsForm user={user} permissions={data} onClose={onClose} />
      ) : (
        <Skeleton height={240} />
      )}
    </Dialog>
  );
}

interface FormProps {
  user: User;
  permissions: Permissions;
  onClose: () => void;
}

function PermissionsForm({ user, permissions, onClose }: FormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [calls, setCalls] = useState(permissions.calls);
  const save = useMutation({
    mutationFn: (body: Wanted) =>
      unwrap(api.PUT('/users/{uuid}/permissions', { params: { path: { uuid: user.uuid } }, body })),
    onSuccess: (saved) => {
      queryClient.setQueryData(permissionsQuery(user.uuid).queryKey, saved);
      onClose();
    },
  });
  const submit = (given: FieldReader): void => save.mutate(wantedFrom(given));
  return (
    <Form className={classes.form} onSubmit={submit}>
      {!permissions.isDecided && <Note kind="info">{t('people.permissions.undecided')}</Note>}
      <NativeSelect
        name="calls"
        data-autofocus
        label={t('people.permissions.calls')}
        description={t('people.permissions.callsHint')}
        value={calls}
        onChange={({ currentTarget: { value } }) => setCalls(value === 'all' ? 'all' : 'own')}
        data={(['own', 'all'] as const).map((value) => ({
          value,
          label: t(`people.permissions.views.${value}`),
        }))}
      />
      <NativeSelect
        // The choices depend on the calls: recordings of all calls need all calls.
        key={calls}
        name="recordings"
        label={t('people.permissions.recordings')}
        description={t('people.permissions.recordingsHint')}
        defaultValue={calls === 'own' && permissions.recordings === 'all' ? 'own' : permissions.recordings}
        data={(calls === 'all' ? (['none', 'own', 'all'] as const) : (['none', 'own'] as const)).map(
          (value) => ({
            value,
            label: t(`people.permissions.views.${value}`),
          }),
        )}
      />
      <Switch
        name="supervision"
        label={t('people.permissions.supervision')}
        description={t('people.permissions.supervisionHint')}
        disabled={calls === 'own'}
        defaultChecked={permissions.supervision}
      />
      <Switch
        name="money"
        label={t('people.permissions.money')}
        description={t('people.permissions.moneyHint')}
        defaultChecked={permissions.money}
      />
      <Switch
        name="webhooks"
        label={t('people.permissions.webhooks')}
        description={t('people.permissions.webhooksHint')}
        defaultChecked={permissions.webhooks}
      />
      {save.error && <ProblemNote error={save.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={save.isPending}>
          {t('common.save')}
        </Button>
      </DialogActions>
    </Form>
  );
}

function wantedFrom(given: FieldReader): Wanted {
  const calls = given('calls') === 'all' ? 'all' : 'own';
  return {
    calls,
    recordings: given('recordings') as Wanted['recordings'],
    money: given('money') === 'on',
    webhooks: given('webhooks') === 'on',
    supervision: calls === 'all' && given('supervision') === 'on',
  };
}
