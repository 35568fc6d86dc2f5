import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { type FieldReader, Form } from '../../shared/forms/form.tsx';
import { PasswordField } from '../../shared/forms/password-field.tsx';
import { Panel } from '../../shared/layout/page.tsx';
import { ProblemNote, StatusNote } from '../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import classes from './settings.module.css';

export function PasswordPanel() {
  const { t } = useTranslation();
  const { user } = useSession();
  const change = useMutation({
    mutationFn: ({
      oldPassword,
      newPassword,
    }: {
      oldPassword: string;
      newPassword: string;
      form: HTMLFormElement;
    }) => unwrap(api.POST('/users/change-password', { body: { oldPassword, newPassword } })),
    onSuccess: (_answer, { form }) => form.reset(),
  });
  const submit = (field: FieldReader, form: HTMLFormElement): void => {
    change.mutate({ oldPassword: field('oldPassword'), newPassword: field('newPassword'), form });
  };
  const faults = faultsByField(t, change.error);
  return (
    <Panel title={t('settings.password.title')}>
      <Form className={classes.form} onSubmit={submit}>
        {/* Lets password managers associate the password with the account. */}
        <input type="hidden" autoComplete="username" name="username" value={user.email} readOnly />
        <PasswordField
          name="oldPassword"
          label={t('settings.password.old')}
          autoComplete="current-password"
          error={faults.oldPassword}
        />
        <PasswordField
          name="newPassword"
          label={t('settings.password.new')}
          description={t('settings.password.hint')}
          autoComplete="new-password"
          error={faults.newPassword}
        />
        {change.error && Object.keys(faults).length === 0 && <ProblemNote error={change.error} />}
        {change.isSuccess && <StatusNote kind="good">{t('settings.password.done')}</StatusNote>}
        <div className={classes.actions}>
          <Button type="submit" variant="default" loading={change.isPending}>
            {t('settings.password.submit')}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
