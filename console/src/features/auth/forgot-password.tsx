import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { formReader } from '../../shared/forms/form-fields.ts';
import { Note, ProblemNote } from '../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import { AuthLayout } from './auth-layout.tsx';

function ForgotPassword() {
  const { t } = useTranslation();
  const request = useMutation({
    mutationFn: (email: string) => unwrap(api.POST('/users/reset', { body: { email } })),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    request.mutate(formReader(event.currentTarget)('email').trim());
  };
  const faults = faultsByField(t, request.error);
  return (
    <AuthLayout
      title={t('enter.forgotten.title')}
      lead={t('enter.forgotten.lead')}
      links={<Link to="/login">{t('enter.forgotten.back')}</Link>}
    >
      {request.error && !faults.email && <ProblemNote error={request.error} />}
      {request.isSuccess && (
        <Note kind="good" role="status">
          {t('enter.forgotten.sent', { email: request.variables })}
        </Note>
      )}
      <form onSubmit={submit} noValidate>
        <TextInput
          name="email"
          type="email"
          label={t('enter.forgotten.email')}
          autoComplete="username"
          error={faults.email && t('enter.signUp.faults.email')}
          required
          withAsterisk={false}
        />
        <Button type="submit" loading={request.isPending}>
          {t('enter.forgotten.submit')}
        </Button>
      </form>
    </AuthLayout>
  );
}

export const forgotPasswordPage = createLazyRoute('/forgotten-password')({ component: ForgotPassword });
