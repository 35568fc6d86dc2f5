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
  other: number;
}

interface Chart {
  title: string;
  /** Header of the table's first column. */
  column: string;
  bars: Bar[];
}

/**
 * Bar chart of calls: answered ones filled, others hatched. Hidden from screen readers, because the table below has the
 * same numbers.
 */
export function Bars({ title, column, bars }: Chart) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [pointed, setPointed] = useState<string>();
  const top = roundUp(Math.max(1, ...bars.map(({ answered, other }) => answered + other)));
  const shown = bars.find(({ key }) => key === pointed);
  return (
    <div>
      <div aria-hidden="true" onPointerLeave={() => setPointed(undefined)}>
        <p className={classes.readout}>{shown ? <Reading bar={shown} formats={formats} /> : <Legend />}</p>
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
                <span className={classes.other} style={{ height: `${(bar.other / top) * 100}%` }} />
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

function Legend() {
  const { t } = useTranslation();
  return (
    <>
      <span className={classes.keyAnswered} />
      {t('home.answeredCalls')}
      <span className={classes.keyOther} />
      {t('home.otherCalls')}
    </>
  );
}

function Reading({ bar, formats }: { bar: Bar; formats: Formats }) {
  const { t } = useTranslation();
  const count = bar.answered + bar.other;
  return t('home.reading', {
    name: bar.name,
    count,
    calls: formats.number(count),
    answered: formats.number(bar.answered),
  });
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
        </tr>
      </thead>
      <tbody>
        {bars.map(({ key, name, answered, other }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <td>{formats.number(answered + other)}</td>
            <td>{formats.number(answered)}</td>
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
