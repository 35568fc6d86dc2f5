import { Button, Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { sessionQuery, useSession } from '../../api/session.ts';
import { type FieldReader, Form } from '../../shared/forms/form.tsx';
import { Dialog, DialogActions } from '../../shared/layout/dialog.tsx';
import { Note, ProblemNote } from '../../shared/problems/problem-note.tsx';
import classes from './people.module.css';
import { type User, usersQuery } from './queries.ts';
import { normalizePhone, UserFields, useUserFaults } from './user-fields.tsx';

type Change = Partial<Pick<User, 'name' | 'email' | 'phone' | 'role' | 'locale' | 'emailVerified'>>;

export function EditUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { user: self } = useSession();
  const save = useMutation({
    mutationFn: (change: Change) => unwrap(api.PATCH('/users', { body: { uuid: user.uuid, ...change } })),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: usersQuery.queryKey });
      if (user.uuid === self.uuid) void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      onClose();
    },
  });
  const submit = (given: FieldReader): void => {
    save.mutate(
      changed(user, {
        name: given('name').trim(),
        email: given('email').trim(),
        phone: normalizePhone(given('phone')),
        role: given('role') as User['role'],
        locale: given('locale') as User['locale'],
        emailVerified: given('emailVerified') === 'on',
      }),
    );
  };
  const faults = useUserFaults(save.error);
  return (
    <Dialog title={t('people.form.editTitle', { name: user.name })} onClose={onClose}>
      <Form className={classes.form} onSubmit={submit}>
        {user.uuid === self.uuid && <Note kind="info">{t('people.form.yourself')}</Note>}
        <UserFields user={user} faults={faults} />
        <Switch
          name="emailVerified"
          label={t('people.verified')}
          description={t('people.form.verifiedHint')}
          defaultChecked={user.emailVerified}
        />
        {save.error && Object.keys(faults).length === 0 && <ProblemNote error={save.error} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('common.save')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Returns changed fields only: sending the role may end the user's sessions. */
const changed = (user: User, written: Required<Change>): Change =>
  Object.fromEntries(Object.entries(written).filter(([name, value]) => user[name as keyof Change] !== value));
