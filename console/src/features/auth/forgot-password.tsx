import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { Form } from '../../shared/forms/form.tsx';
import { ProblemNote, StatusNote } from '../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import { AuthLayout } from './auth-layout.tsx';

function ForgotPassword() {
  const { t } = useTranslation();
  const request = useMutation({
    mutationFn: (email: string) => unwrap(api.POST('/users/reset', { body: { email } })),
  });
  const faults = faultsByField(t, request.error);
  return (
    <AuthLayout
      title={t('enter.forgotten.title')}
      lead={t('enter.forgotten.lead')}
      links={<Link to="/login">{t('enter.forgotten.back')}</Link>}
    >
      {request.error && !faults.email && <ProblemNote error={request.error} />}
      {request.isSuccess && (
        <StatusNote kind="good">{t('enter.forgotten.sent', { email: request.variables })}</StatusNote>
      )}
      <Form onSubmit={(field) => request.mutate(field('email').trim())}>
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
      </Form>
    </AuthLayout>
  );
}

export const forgotPasswordPage = createLazyRoute('/forgotten-password')({ component: ForgotPassword });
