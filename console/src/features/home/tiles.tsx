import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { useFormats } from '../../shared/format/formats.ts';
import { Icon } from '../../shared/layout/icons.tsx';
import classes from './home.module.css';
import type { Summary, Totals } from './queries.ts';

const unknown = '—';

export function Tiles({
  shown,
  live,
  month,
  period,
  isPending,
}: {
  shown: Summary | undefined;
  live: Summary['live'] | undefined;
  month: Summary | undefined;
  period: 'today' | 'month';
  isPending: boolean;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const totals = shown?.totals;
  const yesterday = period === 'today' ? month?.byDay.at(-2) : undefined;
  const compare = (format: (sums: Totals) => string | undefined): string | undefined => {
    const value = yesterday && format(yesterday);
    return value && t('home.yesterday', { value });
  };
  const share = (sums: Totals) => formatIfKnown(sums.answeredShare, formats.percent);
  const average = (sums: Totals) => formatIfKnown(sums.averageDuration, formats.duration);
  const spend = (sums: Totals) => formats.money(sums.spend);
  const count = (sums: Totals) => formats.number(sums.calls);
  const whilePending = isPending ? (
    <Skeleton height={24} width={72} className={classes.loading} />
  ) : undefined;
  return (
    <dl className={classes.tiles}>
      <LiveTile live={live} />
      <Tile label={t('home.calls')} value={totals ? count(totals) : whilePending} hint={compare(count)} />
      <Tile label={t('home.answered')} value={totals ? share(totals) : whilePending} hint={compare(share)} />
      <Tile
        label={t('home.average')}
        value={totals ? average(totals) : whilePending}
        hint={compare(average)}
      />
      <Tile
        label={t(`home.spend.${period}`)}
        value={totals ? spend(totals) : whilePending}
        hint={compare(spend)}
      />
      <CreditTile />
    </dl>
  );
}

const formatIfKnown = (value: number | null, format: (value: number) => string): string | undefined =>
  value === null ? undefined : format(value);

function Tile({
  label,
  value = unknown,
  hint,
  mark,
}: {
  label: ReactNode;
  value: ReactNode;
  hint?: ReactNode;
  mark?: 'live' | 'low' | undefined;
}) {
  return (
    <div className={classes.tile} data-mark={mark}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>{value}</dd>
      <dd className={classes.hint}>{hint ?? '\u00a0'}</dd>
    </div>
  );
}

const running = ['queued', 'ringing', 'dialing', 'answered'] as const;

function LiveTile({ live }: { live: Summary['live'] | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const present = running.filter((state) => (live?.[state] ?? 0) > 0);
  const parts = present.map((state) => t(`home.live.${state}`, { count: live?.[state] ?? 0 }));
  return (
    <Tile
      mark={live && live.total > 0 ? 'live' : undefined}
      label={
        <Link to="/calls" search={{ status: running.join(',') }} className={classes.open}>
          {live && live.total > 0 && <Icon name="live" size={16} />}
          {t('home.live.title')}
        </Link>
      }
      value={live && formats.number(live.total)}
      hint={parts.length > 0 ? parts.join(', ') : t('home.live.none')}
    />
  );
}

function CreditTile() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { credit } = useSession();
  if (!credit) return null;
  const minutes = credit.minutes;
  return (
    <Tile
      mark={credit.isLow ? 'low' : undefined}
      label={
        <Link to="/credit" className={classes.open}>
          {credit.isLow && <Icon name="warning" size={16} />}
          {t('home.credit')}
        </Link>
      }
      value={formats.money(credit.available)}
      hint={minutes && t('home.minutes', { minutes: formats.number(minutes.count) })}
    />
  );
}
