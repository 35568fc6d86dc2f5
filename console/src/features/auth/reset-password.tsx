import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createLazyRoute, Link, useRouter, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { Form } from '../../shared/forms/form.tsx';
import { PasswordField } from '../../shared/forms/password-field.tsx';
import { AlertNote, ProblemNote } from '../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import { AuthLayout } from './auth-layout.tsx';

function ResetPassword() {
  const { t } = useTranslation();
  const { token } = useSearch({ from: '/reset-password' });
  const router = useRouter();
  const reset = useMutation({
    mutationFn: (password: string) =>
      unwrap(api.POST('/users/reset-password', { body: { token: token ?? '', password } })),
    onSuccess: () => router.navigate({ to: '/login', search: { notice: 'password-changed' } }),
  });
  const faults = faultsByField(t, reset.error);
  const isCommon = faults.password === t('problems.faults.common_password');
  const isDead = token === undefined || faults.token !== undefined;
  return (
    <AuthLayout
      title={t('enter.reset.title')}
      links={<Link to="/forgotten-password">{t('enter.reset.again')}</Link>}
    >
      {isDead && <AlertNote kind="bad">{t('enter.reset.dead')}</AlertNote>}
      {reset.error && !isDead && !faults.password && <ProblemNote error={reset.error} />}
      {!isDead && (
        <Form onSubmit={(field) => reset.mutate(field('password'))}>
          <PasswordField
            name="password"
            label={t('enter.reset.password')}
            description={t('enter.reset.hint')}
            autoComplete="new-password"
            error={isCommon ? faults.password : faults.password && t('enter.signUp.faults.password')}
            required
            withAsterisk={false}
          />
          <Button type="submit" loading={reset.isPending}>
            {t('enter.reset.submit')}
          </Button>
        </Form>
      )}
    </AuthLayout>
  );
}

export const resetPasswordPage = createLazyRoute('/reset-password')({ component: ResetPassword });
