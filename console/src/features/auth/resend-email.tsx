import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { ProblemNote, StatusNote } from '../../shared/problems/problem-note.tsx';

export function ResendEmail({ email, label }: { email: string; label: string }) {
  const { t } = useTranslation();
  const resend = useMutation({
    mutationFn: () => unwrap(api.POST('/accounts/signup/resend', { body: { email } })),
  });
  if (resend.isSuccess) return <StatusNote kind="good">{t('enter.logIn.resent')}</StatusNote>;
  return (
    <>
      {resend.error && <ProblemNote error={resend.error} />}
      <Button variant="default" loading={resend.isPending} onClick={() => resend.mutate()}>
        {label}
      </Button>
    </>
  );
}
