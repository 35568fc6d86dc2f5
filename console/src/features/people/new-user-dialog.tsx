import { Button, Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { type FieldReader, Form } from '../../shared/forms/form.tsx';
import { Dialog, DialogActions } from '../../shared/layout/dialog.tsx';
import { ProblemNote, StatusNote } from '../../shared/problems/problem-note.tsx';
import { NewExtension } from './new-extension.tsx';
import classes from './people.module.css';
import { invitationsQuery, type NewInvitation } from './queries.ts';
import { normalizePhone, UserFields, useUserFaults } from './user-fields.tsx';

/** Invites a person by e-mail, who sets their own password. */
export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const invite = useMutation({
    mutationFn: ({ body }: { body: NewInvitation; hasExtension: boolean }) =>
      unwrap(api.POST('/users/invitations', { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
  const { data, variables, error } = invite;
  const faults = useUserFaults(error);
  const submit = (given: FieldReader): void => {
    const body = {
      name: given('name').trim(),
      email: given('email').trim(),
      phone: normalizePhone(given('phone')),
      role: given('role'),
      locale: given('locale'),
    };
    // Omits empty fields, so that the API reports a missing e-mail as such.
    const written = Object.entries(body).filter(([, value]) => value !== '');
    invite.mutate({
      body: Object.fromEntries(written) as unknown as NewInvitation,
      hasExtension: given('extension') === 'on',
    });
  };
  return (
    <Dialog title={t('people.new.title')} onClose={onClose}>
      {data ? (
        <>
          <StatusNote kind="good">{t('people.new.done', { email: data.email })}</StatusNote>
          {variables?.hasExtension && (
            <NewExtension user={{ name: variables.body.name ?? '', email: data.email }} />
          )}
          <p className={classes.text}>{t('people.new.next')}</p>
          <DialogActions>
            <Button onClick={onClose}>{t('common.close')}</Button>
          </DialogActions>
        </>
      ) : (
        <Form className={classes.form} onSubmit={submit}>
          <p className={classes.text}>{t('people.new.lead')}</p>
          <UserFields faults={faults} />
          <Switch
            name="extension"
            label={t('people.new.extension')}
            description={t('people.new.extensionHint')}
            defaultChecked
          />
          {error && Object.keys(faults).length === 0 && <ProblemNote error={error} />}
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={invite.isPending}>
              {t('people.new.submit')}
            </Button>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  );
}
