import { useTranslation } from 'react-i18next';
import classes from '../integrations.module.css';
import type { Trouble } from './failure.ts';

/** Explains why the receiver failed, and what to do. */
export function TroubleText({ trouble, status }: { trouble: Trouble; status: number | null }) {
  const { t } = useTranslation();
  return (
    <p className={classes.plain}>
      {t(`integrations.trouble.${trouble}.what`, { status: status ?? '' })}{' '}
      {t(`integrations.trouble.${trouble}.todo`)}
    </p>
  );
}
