import { useTranslation } from 'react-i18next';
import { Note } from '../../shared/problems/problem-note.tsx';

/** Explains why the user sees the login page: confirmation link, changed password, or expired session. */
export function LoginNotice({
  confirmation,
  notice,
}: {
  confirmation: string | undefined;
  notice: string | undefined;
}) {
  const { t } = useTranslation();
  switch (confirmation ?? notice) {
    case 'confirmed':
      return <Told kind="good" text={t('enter.logIn.confirmed')} />;
    case 'expired':
      return <Told kind="bad" text={t('enter.logIn.expired')} />;
    case 'invalid':
      return <Told kind="bad" text={t('enter.logIn.invalid')} />;
    case 'password-changed':
      return <Told kind="good" text={t('enter.logIn.passwordChanged')} />;
    case 'ended':
      return <Told kind="info" text={t('enter.logIn.ended')} />;
    default:
      return null;
  }
}

const Told = ({ kind, text }: { kind: 'good' | 'bad' | 'info'; text: string }) => (
  <Note kind={kind} role="status">
    {text}
  </Note>
);
