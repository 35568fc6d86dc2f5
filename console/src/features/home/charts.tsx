import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { useFormats } from '../../shared/format/formats.ts';
import { Panel } from '../../shared/layout/page.tsx';
import { hourInZone } from '../../shared/time/zoned-days.ts';
import { type Bar, Bars } from './bars.tsx';
import { daysShown } from './month.ts';
import type { Summary, Totals } from './queries.ts';

const toBar = (sums: Totals): Pick<Bar, 'answered' | 'unanswered' | 'running'> => ({
  answered: sums.answered,
  unanswered: sums.ended - sums.answered,
  running: sums.calls - sums.ended,
});

export function Hours({ summary, period }: { summary: Summary | undefined; period: 'today' | 'month' }) {
  const { t } = useTranslation();
  const { account } = useSession();
  const now = hourInZone(new Date(), account.timezone);
  const bars = (summary?.byHour ?? []).map((sums) => ({
    key: String(sums.hour),
    name: t('home.hour', { hour: sums.hour }),
    tick: sums.hour % 6 === 0 ? t('home.hour', { hour: sums.hour }) : undefined,
    isNow: period === 'today' && sums.hour === now,
    ...toBar(sums),
  }));
  const title = t(`home.byHour.${period}`);
  return (
    <Panel title={title}>
      <Bars title={title} column={t('home.hourColumn')} bars={bars} />
    </Panel>
  );
}

const ticksEvery = 7;

/** Calls per day for the last 30 days; today's bar uses the summary of today. */
export function Days({ month, today }: { month: Summary | undefined; today: Summary | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const title = t('home.byDay', { count: daysShown });
  const fresh = today?.byDay.at(-1);
  const days = (month?.byDay ?? []).map((sums) => (sums.day === fresh?.day ? fresh : sums));
  const bars = days.map((sums, index) => ({
    key: sums.day,
    name: formats.day(sums.day),
    tick: (days.length - 1 - index) % ticksEvery === 0 ? formats.day(sums.day) : undefined,
    isNow: index === days.length - 1,
    ...toBar(sums),
  }));
  return (
    <Panel title={title}>
      <Bars title={title} column={t('home.dayColumn')} bars={bars} />
    </Panel>
  );
}
