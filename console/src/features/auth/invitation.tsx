import { Button, Skeleton, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link, useRouter, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Answer, api, unwrap } from '../../api/client.ts';
import { clearEarly } from '../../api/early.ts';
import { hasPageUser } from '../../api/session.ts';
import { sendToTabs } from '../../api/session-messages.ts';
import { Form } from '../../shared/forms/form.tsx';
import { PasswordField } from '../../shared/forms/password-field.tsx';
import { AlertNote, ProblemNote } from '../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import classes from './auth-layout.module.css';
import { AuthLayout } from './auth-layout.tsx';

type Opened = Answer<'/users/invitations/open', 'post'>;

/** The page of a mailed invitation: the person sets a name and a password, and is logged in. */
function Invitation() {
  const { t } = useTranslation();
  const { token = '' } = useSearch({ from: '/invitation' });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => unwrap(api.POST('/users/invitations/open', { body: { token } })),
    retry: false,
    staleTime: Infinity,
  });
  const isDead = faultsByField(t, error).token !== undefined;
  return (
    <AuthLayout
      title={t('enter.invitation.title')}
      links={<Link to="/login">{t('enter.invitation.logIn')}</Link>}
    >
      {isPending && <Skeleton height={160} />}
      {isDead && <AlertNote kind="bad">{t('enter.invitation.dead')}</AlertNote>}
      {error && !isDead && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data && <Lead {...data} />}
      {data && <AcceptForm token={token} invitation={data} />}
    </AuthLayout>
  );
}

function Lead({ companyName: company, inviterName: inviter }: Opened) {
  const { t } = useTranslation();
  const text =
    // The first ADMIN has the name of the company until they change it.
    inviter === null || inviter === company
      ? t('enter.invitation.leadOfCompany', { company })
      : t('enter.invitation.lead', { company, inviter });
  return <p className={classes.lead}>{text}</p>;
}

function useAcceptance(token: string, email: string) {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: async ({ name, password }: { name: string; password: string }) => {
      await unwrap(api.POST('/users/invitations/accept', { body: { token, name, password } }));
      // The invitation is accepted even if the login fails, so that the person logs in on the login page.
      return await unwrap(api.POST('/console/session', { body: { email, password } })).then(
        () => '/',
        () => '/login',
      );
    },
    meta: { quiet: true },
    onSuccess: async (href) => {
      sendToTabs({ kind: 'loggedIn' });
      clearEarly();
      queryClient.clear();
      // A full page load discards the data of the previous user.
      if (hasPageUser()) location.replace(href);
      else await router.navigate({ href, replace: true });
    },
  });
}

function AcceptForm({ token, invitation }: { token: string; invitation: Opened }) {
  const { t } = useTranslation();
  const { email, name } = invitation;
  const accept = useAcceptance(token, email);
  const faults = faultsByField(t, accept.error);
  const isCommon = faults.password === t('problems.faults.common_password');
  const isDead = faults.token !== undefined;
  const isTaken = faults.email !== undefined;
  return (
    <>
      {isDead && <AlertNote kind="bad">{t('enter.invitation.dead')}</AlertNote>}
      {isTaken && <AlertNote kind="bad">{t('enter.invitation.taken')}</AlertNote>}
      {accept.error && Object.keys(faults).length === 0 && <ProblemNote error={accept.error} />}
      <Form onSubmit={(field) => accept.mutate({ name: field('name').trim(), password: field('password') })}>
        <TextInput
          name="email"
          type="email"
          label={t('enter.invitation.email')}
          autoComplete="username"
          value={email}
          readOnly
        />
        <TextInput
          name="name"
          label={t('enter.invitation.name')}
          autoComplete="name"
          defaultValue={name}
          error={faults.name && t('enter.invitation.nameFault')}
          required
          withAsterisk={false}
          data-autofocus
        />
        <PasswordField
          name="password"
          label={t('enter.invitation.password')}
          description={t('enter.signUp.passwordHint')}
          autoComplete="new-password"
          error={isCommon ? faults.password : faults.password && t('enter.signUp.faults.password')}
          required
          withAsterisk={false}
        />
        <Button type="submit" loading={accept.isPending}>
          {t('enter.invitation.submit')}
        </Button>
      </Form>
    </>
  );
}

export const invitationPage = createLazyRoute('/invitation')({ component: Invitation });
