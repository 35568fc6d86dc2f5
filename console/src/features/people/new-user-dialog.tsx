import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { Copy } from '../../shared/forms/copy-button.tsx';
import { type FieldReader, Form } from '../../shared/forms/form.tsx';
import { generatePassword } from '../../shared/forms/random-password.ts';
import { Definition, DefinitionList } from '../../shared/layout/definition-list.tsx';
import { Dialog, DialogActions } from '../../shared/layout/dialog.tsx';
import { ProblemNote, StatusNote } from '../../shared/problems/problem-note.tsx';
import classes from './people.module.css';
import { type NewUser, usersQuery } from './queries.ts';
import { normalizePhone, UserFields, useUserFaults } from './user-fields.tsx';

/** Creates a user with an initial password, which is shown once. */
export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [firstPassword] = useState(generatePassword);
  const create = useMutation({
    mutationFn: (body: NewUser) => unwrap(api.POST('/users', { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
  const { data, variables, error } = create;
  const faults = useUserFaults(error);
  const submit = (given: FieldReader): void => {
    const body = {
      name: given('name').trim(),
      email: given('email').trim(),
      phone: normalizePhone(given('phone')),
      role: given('role'),
      locale: given('locale'),
      password: given('password'),
    };
    // Omits empty fields, so that the API reports them as missing.
    const written = Object.entries(body).filter(([, value]) => value !== '');
    create.mutate(Object.fromEntries(written) as unknown as NewUser);
  };
  return (
    <Dialog title={t('people.new.title')} onClose={onClose}>
      {data && variables ? (
        <Created user={variables} onClose={onClose} />
      ) : (
        <Form className={classes.form} onSubmit={submit}>
          <p className={classes.text}>{t('people.new.lead')}</p>
          <UserFields faults={faults} />
          <TextInput
            name="password"
            label={t('people.new.password')}
            description={t('people.new.passwordHint')}
            autoComplete="off"
            spellCheck={false}
            classNames={{ input: classes.secret ?? '' }}
            defaultValue={firstPassword}
            error={faults.password}
          />
          {error && Object.keys(faults).length === 0 && <ProblemNote error={error} />}
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {t('people.new.submit')}
            </Button>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  );
}

function Created({ user, onClose }: { user: NewUser; onClose: () => void }) {
  const { t } = useTranslation();
  const address = `${location.origin}/login`;
  const message = t('people.new.message', { address, email: user.email, password: user.password });
  return (
    <>
      <StatusNote kind="good">{t('people.new.done', { name: user.name })}</StatusNote>
      <p className={classes.text}>{t('people.new.shareDetails')}</p>
      <DefinitionList>
        <Definition name={t('people.new.address')}>{address}</Definition>
        <Definition name={t('people.columns.email')}>{user.email}</Definition>
        <Definition name={t('people.new.password')}>
          <span className={classes.secret}>{user.password}</span>
        </Definition>
        <Definition name={t('people.new.allDetails')}>
          <Copy value={message} label={t('people.new.copy')} />
        </Definition>
      </DefinitionList>
      <DialogActions>
        <Button onClick={onClose}>{t('common.close')}</Button>
      </DialogActions>
    </>
  );
}
