import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { clearEarly } from '../../api/early.ts';
import { isProblem } from '../../api/problem.ts';
import { hasPageUser } from '../../api/session.ts';
import { sendToTabs } from '../../api/session-messages.ts';
import { type FieldReader, Form } from '../../shared/forms/form.tsx';
import { PasswordField } from '../../shared/forms/password-field.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import { FactorFields } from '../../shared/proof/factor-fields.tsx';
import { type AskedFactors, askedFactors, readPasskey } from '../../shared/proof/factors.ts';
import { AuthLayout, BackLink } from './auth-layout.tsx';
import { LoginNotice } from './notice.tsx';
import { ResendEmail } from './resend-email.tsx';
import { type LoginSearch, safeRedirect } from './search.ts';
import { SsoStep } from './sso-step.tsx';

interface Credentials {
  email: string;
  password: string;
}

interface Attempt extends Credentials {
  otp?: string;
  usesPasskey?: boolean;
}

function useLogin({ next, proof }: LoginSearch, onAsked: (asked: AskedFactors, given: Credentials) => void) {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: async ({ email, password, otp, usesPasskey = false }: Attempt) => {
      const passkey = usesPasskey ? { passkey: await readPasskey() } : {};
      const code = otp ? { otp } : {};
      const addressProof = proof === undefined ? {} : { addressProof: proof };
      const body = { email, password, ...code, ...passkey, ...addressProof };
      return await unwrap(api.POST('/console/session', { body }));
    },
    meta: { quiet: true },
    onError: (error, { email, password }) => {
      const asked = askedFactors(error);
      if (asked) onAsked(asked, { email, password });
    },
    onSuccess: async () => {
      sendToTabs({ kind: 'loggedIn' });
      clearEarly();
      queryClient.clear();
      // A full page load discards the data of the previous user.
      if (hasPageUser()) location.replace(safeRedirect(next));
      else await router.navigate({ href: safeRedirect(next), replace: true });
    },
  });
}

type LogIn = ReturnType<typeof useLogin>;

function Login() {
  const search = useSearch({ from: '/login' });
  const [step, setStep] = useState<{ asked: AskedFactors; given: Credentials }>();
  const [usesSso, setUsesSso] = useState(false);
  const logIn = useLogin(search, (asked, given) => setStep({ asked, given }));
  if (usesSso) return <SsoStep next={search.next} onBack={() => setUsesSso(false)} />;
  if (!step) return <PasswordStep logIn={logIn} onSso={() => setUsesSso(true)} />;
  const back = (): void => {
    setStep(undefined);
    logIn.reset();
  };
  return <FactorStep logIn={logIn} {...step} onBack={back} />;
}

function PasswordStep({ logIn, onSso }: { logIn: LogIn; onSso: () => void }) {
  const { t } = useTranslation();
  const { confirmation, notice } = useSearch({ from: '/login' });
  const submit = (field: FieldReader): void => {
    logIn.mutate({ email: field('email').trim(), password: field('password') });
  };
  const faults = faultsByField(t, logIn.error);
  const isUnconfirmed = isProblem(logIn.error) && logIn.error.code === 'LOGIN_FAILED_EMAIL_NOT_VERIFIED';
  return (
    <AuthLayout
      title={t('enter.logIn.title')}
      links={
        <>
          <Link to="/forgotten-password">{t('enter.logIn.forgotten')}</Link>
          <Link to="/signup">{t('enter.logIn.signUp')}</Link>
        </>
      }
    >
      {!logIn.error && <LoginNotice confirmation={confirmation} notice={notice} />}
      {logIn.error && <ProblemNote error={logIn.error} />}
      {isUnconfirmed && <ResendEmail email={logIn.variables?.email ?? ''} label={t('enter.logIn.resend')} />}
      <Form onSubmit={submit}>
        <TextInput
          name="email"
          type="email"
          label={t('enter.logIn.email')}
          autoComplete="username"
          error={faults.email && t('enter.signUp.faults.email')}
          required
          withAsterisk={false}
          data-autofocus
        />
        <PasswordField
          name="password"
          label={t('enter.logIn.password')}
          autoComplete="current-password"
          error={faults.password}
          required
          withAsterisk={false}
        />
        <Button type="submit" loading={logIn.isPending}>
          {t('enter.logIn.submit')}
        </Button>
        <Button variant="default" onClick={onSso}>
          {t('enter.sso.open')}
        </Button>
      </Form>
    </AuthLayout>
  );
}

function FactorStep({
  logIn,
  asked,
  given,
  onBack,
}: {
  logIn: LogIn;
  asked: AskedFactors;
  given: Credentials;
  onBack: () => void;
}) {
  const { t } = useTranslation();
  const isFirst = askedFactors(logIn.error) !== undefined;
  return (
    <AuthLayout title={t('enter.logIn.factorTitle')} links={<BackLink onClick={onBack} />}>
      {logIn.error && !isFirst && <ProblemNote error={logIn.error} />}
      <Form onSubmit={(field) => logIn.mutate({ ...given, otp: field('otp').trim() })}>
        <FactorFields
          asked={asked}
          isPending={logIn.isPending}
          onPasskey={() => logIn.mutate({ ...given, usesPasskey: true })}
        />
        {asked.code && (
          <Button type="submit" loading={logIn.isPending}>
            {t('enter.logIn.submit')}
          </Button>
        )}
      </Form>
    </AuthLayout>
  );
}

export const loginPage = createLazyRoute('/login')({ component: Login });
