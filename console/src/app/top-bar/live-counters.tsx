import { VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { useFormats } from '../../shared/format/formats.ts';
import { Icon } from '../../shared/layout/icons.tsx';
import { useRefreshSession } from './refresh-session.ts';
import classes from './top-bar.module.css';

/** Number of active calls: updated from live events, then confirmed by the API. */
export function LiveCalls() {
  const { t } = useTranslation();
  const { liveCalls } = useSession();
  useRefreshSession();
  const text = t('shell.liveCalls', { count: liveCalls });
  return (
    <Link to="/calls" className={classes.live} data-live={liveCalls > 0} aria-label={text} title={text}>
      <Icon name="live" size={18} />
      <span>{liveCalls}</span>
    </Link>
  );
}

/** Available credit and the minutes it buys. Only users with the permission for money see amounts. */
export function Credit() {
  const { t } = useTranslation();
  const { credit } = useSession();
  const formats = useFormats();
  if (!credit) return null;
  return (
    <Link to="/credit" className={classes.credit} data-low={credit.isLow}>
      <VisuallyHidden>{t('shell.credit')}</VisuallyHidden>
      {credit.isLow && <Icon name="warning" size={16} />}
      <span>{formats.money(credit.available)}</span>
      {credit.minutes && (
        <span className={classes.minutes} title={t('shell.buysHint')}>
          {t('shell.buys', { count: credit.minutes.count })}
        </span>
      )}
    </Link>
  );
}
