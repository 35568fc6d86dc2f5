import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../../../api/session.ts';
import classes from '../dock.module.css';

/** What to do about a call that was refused for lack of credit, which ADMINs buy. */
export function TopUp() {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const navigate = useNavigate();
  if (!isAdmin) return <p className={classes.text}>{t('phone.topUp.ask')}</p>;
  return (
    <Button size="xs" onClick={() => void navigate({ to: '/credit' })}>
      {t('phone.topUp.action')}
    </Button>
  );
}
