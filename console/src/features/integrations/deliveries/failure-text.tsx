import { useTranslation } from 'react-i18next';
import classes from '../integrations.module.css';
import type { Failure } from './failure.ts';

/** Explains why the receiver failed, and what to do. */
export function FailureText({ failure, status }: { failure: Failure; status: number | null }) {
  const { t } = useTranslation();
  return (
    <p className={classes.plain}>
      {t(`integrations.failures.${failure}.cause`, { status: status ?? '' })}{' '}
      {t(`integrations.failures.${failure}.advice`)}
    </p>
  );
}
