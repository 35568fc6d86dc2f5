import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { Form } from '../../shared/forms/form.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import { keepNext } from '../../shared/proof/sso.ts';
import { AuthLayout, BackLink } from './auth-layout.tsx';

/** Sends the user to the identity provider of the domain of their e-mail address. */
export function SsoStep({ next, onBack }: { next: string | undefined; onBack: () => void }) {
  const { t } = useTranslation();
  const start = useMutation({
    mutationFn: (email: string) => unwrap(api.POST('/console/sso/start', { body: { email } })),
    meta: { quiet: true },
    onSuccess: ({ url }) => {
      keepNext(next);
      location.assign(url);
    },
  });
  const faults = faultsByField(t, start.error);
  return (
    <AuthLayout title={t('enter.sso.title')} lead={t('enter.sso.lead')} links={<BackLink onClick={onBack} />}>
      {start.error && !faults.email && <ProblemNote error={start.error} />}
      <Form onSubmit={(field) => start.mutate(field('email').trim())}>
        <TextInput
          name="email"
          type="email"
          label={t('enter.sso.email')}
          autoComplete="username"
          error={faults.email && t('enter.signUp.faults.email')}
          required
          withAsterisk={false}
          data-autofocus
        />
        <Button type="submit" loading={start.isPending || start.isSuccess}>
          {t('enter.sso.submit')}
        </Button>
      </Form>
    </AuthLayout>
  );
}
