import { createLazyRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AuthLayout } from './auth-layout.tsx';
import { ResendEmail } from './resend-email.tsx';
import { SignUpForm } from './sign-up-form.tsx';

function SignUp() {
  const { t } = useTranslation();
  const [email, setEmail] = useState<string>();
  if (email !== undefined)
    return (
      <AuthLayout
        title={t('enter.sent.title')}
        lead={t('enter.sent.text', { email })}
        links={<Link to="/login">{t('enter.sent.back')}</Link>}
      >
        <ResendEmail email={email} label={t('enter.sent.resend')} />
      </AuthLayout>
    );
  return (
    <AuthLayout
      title={t('enter.signUp.title')}
      lead={t('enter.signUp.lead')}
      links={<Link to="/login">{t('enter.signUp.logIn')}</Link>}
    >
      <SignUpForm onDone={setEmail} />
    </AuthLayout>
  );
}

export const signUpPage = createLazyRoute('/signup')({ component: SignUp });
