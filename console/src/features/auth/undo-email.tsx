import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createLazyRoute, Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { Form } from '../../shared/forms/form.tsx';
import { AlertNote, ProblemNote, StatusNote } from '../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import { AuthLayout } from './auth-layout.tsx';

/** Undoes a change of e-mail. Asks before, because mail scanners open links. */
function UndoEmail() {
  const { t } = useTranslation();
  const { token } = useSearch({ from: '/undo-email' });
  const undo = useMutation({
    mutationFn: () => unwrap(api.POST('/users/undo-email', { body: { token: token ?? '' } })),
  });
  const isDead = token === undefined || faultsByField(t, undo.error).token !== undefined;
  const isOpen = !isDead && !undo.isSuccess;
  return (
    <AuthLayout
      title={t('enter.undo.title')}
      {...(isOpen ? { lead: t('enter.undo.hint') } : {})}
      links={<Link to="/login">{t('enter.undo.logIn')}</Link>}
    >
      {isDead && <AlertNote kind="bad">{t('enter.undo.dead')}</AlertNote>}
      {undo.error && !isDead && <ProblemNote error={undo.error} />}
      {undo.isSuccess && (
        <>
          <StatusNote kind="good">{t('enter.undo.done')}</StatusNote>
          <Button component={Link} to="/forgotten-password">
            {t('enter.undo.newPassword')}
          </Button>
        </>
      )}
      {isOpen && (
        <Form onSubmit={() => undo.mutate()}>
          <Button type="submit" loading={undo.isPending}>
            {t('enter.undo.submit')}
          </Button>
        </Form>
      )}
    </AuthLayout>
  );
}

export const undoEmailPage = createLazyRoute('/undo-email')({ component: UndoEmail });
