import { useTranslation } from 'react-i18next';
import { StatusNote } from '../../shared/problems/problem-note.tsx';

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
      return <StatusNote kind="good">{t('enter.logIn.confirmed')}</StatusNote>;
    case 'expired':
      return <StatusNote kind="bad">{t('enter.logIn.expired')}</StatusNote>;
    case 'invalid':
      return <StatusNote kind="bad">{t('enter.logIn.invalid')}</StatusNote>;
    case 'password-changed':
      return <StatusNote kind="good">{t('enter.logIn.passwordChanged')}</StatusNote>;
    case 'ended':
      return <StatusNote kind="info">{t('enter.logIn.ended')}</StatusNote>;
    default:
      return null;
  }
}
