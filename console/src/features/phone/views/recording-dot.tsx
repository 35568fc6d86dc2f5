import { useTranslation } from 'react-i18next';
import classes from '../dock.module.css';

/** Shows that the call is being recorded. */
export function RecordingDot() {
  const { t } = useTranslation();
  return (
    <span
      className={classes.recording}
      role="img"
      aria-label={t('phone.recording')}
      title={t('phone.recording')}
    />
  );
}
