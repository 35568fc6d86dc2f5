import { useTranslation } from 'react-i18next';
import { useFormats } from '../../shared/format/formats.ts';
import { Panel } from '../../shared/layout/page.tsx';
import { Note } from '../../shared/problems/problem-note.tsx';
import classes from './home.module.css';
import type { Summary } from './queries.ts';

/** Share of short calls, compared with the regulator's threshold. */
export function ShortCalls({ summary, month }: { summary: Summary | undefined; month: Summary | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (!summary) return <Panel title={t('home.short.title')}>{null}</Panel>;
  const { seconds, shareLimit, callsPerDay } = summary.shortCalls;
  const { short, outbound, shortShare } = summary.totals;
  const daysOver = month?.shortCalls.daysOver ?? [];
  const isOver = summary.shortCalls.daysOver.length > 0;
  return (
    <Panel title={t('home.short.title')}>
      <p className={classes.shortShare}>
        <strong className={classes.value}>{shortShare === null ? '—' : formats.percent(shortShare)}</strong>{' '}
        <span className={classes.quiet}>
          {t('home.short.of', {
            short: formats.number(short),
            outbound: formats.number(outbound),
            count: outbound,
          })}
        </span>
      </p>
      <div className={classes.gauge} aria-hidden="true" data-over={isOver}>
        <span className={classes.gaugeBar} style={{ width: `${(shortShare ?? 0) * 100}%` }} />
        <span className={classes.gaugeLimit} style={{ left: `${shareLimit * 100}%` }} />
      </div>
      <p className={classes.quiet}>
        {t('home.short.rule', {
          seconds,
          share: formats.percent(shareLimit),
          calls: formats.number(callsPerDay),
        })}
      </p>
      {!isOver && busiestDay(summary) <= callsPerDay && (
        <p className={classes.quiet}>
          {t('home.short.below', { calls: formats.number(busiestDay(summary)), count: busiestDay(summary) })}
        </p>
      )}
      {daysOver.length > 0 && (
        <Note kind="bad">
          {t('home.short.over', { count: daysOver.length, days: daysOver.map(formats.day).join(', ') })}
        </Note>
      )}
    </Panel>
  );
}

/** The rule counts the calls of a day. */
const busiestDay = ({ byDay }: Summary): number => Math.max(0, ...byDay.map(({ outbound }) => outbound));
