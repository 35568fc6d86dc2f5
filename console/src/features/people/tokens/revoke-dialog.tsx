import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../../api/client.ts';
import { Dialog, DialogActions } from '../../../shared/layout/dialog.tsx';
import { Note, ProblemNote } from '../../../shared/problems/problem-note.tsx';
import classes from '../people.module.css';
import { type Token, tokensQuery } from '../queries.ts';
import { isSession, nameText } from './token-text.ts';

export function RevokeDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { prefix } = token;
  const revoke = useMutation({
    mutationFn: () => unwrap(api.DELETE('/users/accessTokens/{prefix}', { params: { path: { prefix } } })),
    onSuccess: () => {
      // If the token was this session's own, this request gets a 401 and redirects to the login page.
      void queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
      onClose();
    },
  });
  return (
    <Dialog title={t('people.tokens.revokeTitle', { name: nameText(t, token), prefix })} onClose={onClose}>
      {isSession(token) ? (
        <Note kind="live">{t('people.tokens.revokeSession')}</Note>
      ) : (
        <p className={classes.text}>{t('people.tokens.revokeText')}</p>
      )}
      {revoke.error && <ProblemNote error={revoke.error} />}
      <DialogActions>
        <Button variant="default" data-autofocus onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button color="red" loading={revoke.isPending} onClick={() => revoke.mutate()}>
          {t('people.tokens.revokeSubmit')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
