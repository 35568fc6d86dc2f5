import { VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Session, sessionQuery, useSession } from '../api/session.ts';
import { useFormats } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { useLiveEvents } from '../shared/live/live.ts';
import classes from './top-bar.module.css';

/** How many calls run, at once from the events and then by asking. */
export function LiveCalls() {
  const { t } = useTranslation();
  const { liveCalls } = useSession();
  useFreshSession();
  const text = t('shell.liveCalls', { count: liveCalls });
  return (
    <Link to="/calls" className={classes.live} data-live={liveCalls > 0} aria-label={text} title={text}>
      <Icon name="live" size={18} />
      <span>{liveCalls}</span>
    </Link>
  );
}

/** The credit and the minutes it buys; only ADMINs see money. */
export function Credit() {
  const { t } = useTranslation();
  const { credit } = useSession();
  const formats = useFormats();
  if (!credit) return null;
  return (
    <Link to="/credit" className={classes.credit} data-low={credit.isLow}>
      <VisuallyHidden>{t('shell.creditLabel')}</VisuallyHidden>
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

const stepOf: Record<string, number> = { 'channel-create': 1, 'channel-hangup': -1 };
const moving = [...Object.keys(stepOf), 'call-priced', 'charge-paid', 'balance-low'];

/** Many calls may end at once; the credit is asked for once for all of them. */
const settlesMs = 5_000;

function useFreshSession(): void {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLiveEvents(moving, ({ type }) => {
    const step = stepOf[type] ?? 0;
    queryClient.setQueryData<Session>(
      sessionQuery.queryKey,
      (known) => known && { ...known, liveCalls: Math.max(0, known.liveCalls + step) },
    );
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    }, settlesMs);
  });
}
