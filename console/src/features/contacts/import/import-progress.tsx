import { Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './import.module.css';

/** How many of the rows have been sent. */
export function ImportProgress({ label, done, total }: { label: string; done: number; total: number }) {
  const { t } = useTranslation();
  return (
    <div className={classes.progress}>
      <Progress value={(100 * done) / total} aria-label={label} />
      <p className={classes.quiet}>{t('contacts.import.progress', { done, count: total })}</p>
    </div>
  );
}
