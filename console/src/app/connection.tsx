import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loggedOut } from '../api/logged-out.ts';
import { useSession } from '../api/session.ts';
import { Icon } from '../shared/layout/icons.tsx';
import { startLive, useLiveState } from '../shared/live/live.ts';
import classes from './shell.module.css';

/** Interruptions shorter than this are not shown. */
const graceMs = 2_000;

/** Subscribes to live events while a user is logged in, and shows a banner when the connection is lost. */
export function Connection() {
  const { t } = useTranslation();
  const { user } = useSession();
  const state = useLiveState();
  const [isLost, setLost] = useState(false);
  useEffect(() => startLive(user.uuid, loggedOut), [user.uuid]);
  useEffect(() => {
    if (state !== 'lost') {
      setLost(false);
      return;
    }
    const timer = setTimeout(() => setLost(true), graceMs);
    return () => clearTimeout(timer);
  }, [state]);
  return (
    <div role="status" className={classes.connection}>
      {isLost && (
        <p className={classes.offline}>
          <Icon name="offline" size={16} />
          {t('shell.offline')}
        </p>
      )}
    </div>
  );
}
