import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { Dialog, DialogActions } from '../../shared/layout/dialog.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import classes from './people.module.css';
import { type User, usersQuery } from './queries.ts';

export function RemoveUserDialog({
  user,
  onClose,
  onDone,
}: {
  user: User;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { uuid, name } = user;
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/users/{uuid}', { params: { path: { uuid } } })),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: usersQuery.queryKey });
      onDone();
    },
  });
  return (
    <Dialog title={t('people.remove.title', { name })} onClose={onClose}>
      <p className={classes.text}>{t('people.remove.text', { name })}</p>
      {remove.error && <ProblemNote error={remove.error} />}
      <DialogActions>
        <Button variant="default" data-autofocus onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
          {t('people.remove.submit')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
