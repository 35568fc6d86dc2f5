import { useTranslation } from 'react-i18next';
import classes from '../integrations.module.css';
import type { Failure } from './failure.ts';

/** Explains why the receiver failed, and what to do. */
export function FailureText({ failure, status }: { failure: Failure; status: number | null }) {
  const { t } = useTranslation();
  return (
    <p className={classes.plain}>
      {t(`integrations.trouble.${failure}.what`, { status: status ?? '' })}{' '}
      {t(`integrations.trouble.${failure}.todo`)}
    </p>
  );
}
