import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Formats, useFormats } from '../../shared/format/formats.ts';
import classes from './bars.module.css';

export interface Bar {
  key: string;
  name: string;
  /** Axis label; undefined where there is no room. */
  tick: string | undefined;
  isNow: boolean;
  answered: number;
  unanswered: number;
  running: number;
}

const callsOf = ({ answered, unanswered, running }: Bar): number => answered + unanswered + running;

interface Chart {
  title: string;
  /** Header of the table's first column. */
  column: string;
  bars: Bar[];
}

/**
 * Bar chart of calls: answered ones filled, unanswered ones hatched, running ones outlined. Hidden from screen readers, because the table below has the
 * same numbers.
 */
export function Bars({ title, column, bars }: Chart) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [pointed, setPointed] = useState<string>();
  const top = roundUp(Math.max(1, ...bars.map(callsOf)));
  const shown = bars.find(({ key }) => key === pointed);
  return (
    <div>
      <div aria-hidden="true" onPointerLeave={() => setPointed(undefined)}>
        <p className={classes.readout}>
          {shown ? (
            <Reading bar={shown} formats={formats} />
          ) : (
            <Legend hasRunning={bars.some(({ running }) => running > 0)} />
          )}
        </p>
        <div className={classes.chart}>
          <span className={classes.top}>{formats.number(top)}</span>
          <div className={classes.bars}>
            {bars.map((bar) => (
              <div
                key={bar.key}
                className={classes.bar}
                data-now={bar.isNow}
                data-pointed={bar.key === pointed}
                onPointerEnter={() => setPointed(bar.key)}
              >
                <span className={classes.running} style={{ height: `${(bar.running / top) * 100}%` }} />
                <span className={classes.unanswered} style={{ height: `${(bar.unanswered / top) * 100}%` }} />
                <span className={classes.answered} style={{ height: `${(bar.answered / top) * 100}%` }} />
              </div>
            ))}
          </div>
          <div className={classes.ticks}>
            {bars.map((bar) => (
              <span key={bar.key} className={classes.slot}>
                {bar.tick && <span className={classes.tick}>{bar.tick}</span>}
              </span>
            ))}
          </div>
        </div>
      </div>
      <details className={classes.details}>
        <summary className={classes.summary}>{t('home.table')}</summary>
        <Numbers title={title} column={column} bars={bars} />
      </details>
    </div>
  );
}

function Legend({ hasRunning }: { hasRunning: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <span className={classes.keyAnswered} />
      {t('home.answeredCalls')}
      <span className={classes.keyUnanswered} />
      {t('home.unansweredCalls')}
      {hasRunning && (
        <>
          <span className={classes.keyRunning} />
          {t('home.runningCalls')}
        </>
      )}
    </>
  );
}

function Reading({ bar, formats }: { bar: Bar; formats: Formats }) {
  const { t } = useTranslation();
  const count = callsOf(bar);
  const text = t('home.reading', {
    name: bar.name,
    count,
    calls: formats.number(count),
    answered: formats.number(bar.answered),
  });
  return bar.running > 0 ? t('home.withRunning', { text, running: formats.number(bar.running) }) : text;
}

function Numbers({ title, column, bars }: Chart) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <table className={classes.table}>
      <caption className={classes.caption}>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{column}</th>
          <th scope="col">{t('home.calls')}</th>
          <th scope="col">{t('home.answeredCalls')}</th>
          <th scope="col">{t('home.runningCalls')}</th>
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.key}>
            <th scope="row">{bar.name}</th>
            <td>{formats.number(callsOf(bar))}</td>
            <td>{formats.number(bar.answered)}</td>
            <td>{formats.number(bar.running)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const steps = [1, 1.5, 2, 3, 4, 5, 6, 8];

/** Rounds up to the next round number. */
function roundUp(value: number): number {
  if (value <= 10) return Math.max(2, Math.ceil(value / 2) * 2);
  const size = 10 ** Math.floor(Math.log10(value));
  return (steps.find((step) => step * size >= value) ?? 10) * size;
}
