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
      return <StatusNote kind="good" text={t('enter.logIn.confirmed')} />;
    case 'expired':
      return <StatusNote kind="bad" text={t('enter.logIn.expired')} />;
    case 'invalid':
      return <StatusNote kind="bad" text={t('enter.logIn.invalid')} />;
    case 'password-changed':
      return <StatusNote kind="good" text={t('enter.logIn.passwordChanged')} />;
    case 'ended':
      return <StatusNote kind="info" text={t('enter.logIn.ended')} />;
    default:
      return null;
  }
}

const StatusNote = ({ kind, text }: { kind: 'good' | 'bad' | 'info'; text: string }) => (
  <Note kind={kind} role="status">
    {text}
  </Note>
);
