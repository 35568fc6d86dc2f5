import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemNote } from '../problems/problem-note.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

/** Asks before a destructive action, runs it, and closes when it has succeeded. */
export function ConfirmDialog({
  title,
  actionText,
  action,
  onDone,
  onClose,
  children,
}: {
  title: string;
  actionText: string;
  action: () => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const run = useMutation({
    mutationFn: action,
    onSuccess: () => {
      onDone();
      onClose();
    },
  });
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {run.error && <ProblemNote error={run.error} />}
      <DialogActions>
        <Button variant="default" data-autofocus onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button color="red" loading={run.isPending} onClick={() => run.mutate()}>
          {actionText}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
