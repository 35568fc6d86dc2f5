import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { Dialog, DialogActions } from '../../shared/layout/dialog.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import classes from './page.module.css';
import type { Extension } from './queries.ts';
import { fullName } from './view.ts';

export function RemoveDialog({
  extension,
  onClose,
  onDone,
}: {
  extension: Extension;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const { id, ramal } = extension;
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/extensions/{id}', { params: { path: { id: String(id) } } })),
    onSuccess: onDone,
  });
  return (
    <Dialog title={t('extensions.remove.title', { ramal })} onClose={onClose}>
      <p className={classes.lead}>{t('extensions.remove.text', { ramal, name: fullName(extension) })}</p>
      {remove.error && <ProblemNote error={remove.error} />}
      <DialogActions>
        <Button variant="default" data-autofocus onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
          {t('extensions.remove.submit')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
