import type { Metrics, Reading } from '../../platform/telemetry/metrics.ts';
import { type Figure, type FigureName, figures, type ProcessName } from './figures.ts';

type Named<Kind extends Figure['kind']> = {
  [Name in FigureName]: (typeof figures)[Name]['kind'] extends Kind ? Name : never;
}[FigureName];

type Labels = Record<string, string | number>;

/** The instruments of one process, by metric name. */
export interface Instruments {
  counter(name: Named<'counter'>): (labels?: Labels) => void;
  histogram(name: Named<'histogram'>): (seconds: number, labels?: Labels) => void;
  gauge(name: Named<'gauge'>, read: () => Reading[] | Promise<Reading[]>): void;
}

export function createInstruments(metrics: Metrics, process: string): Instruments {
  /** Creates the metrics of this process immediately, and others on first use. */
  const made = <Instrument>(name: FigureName, make: (figure: Figure) => Instrument): (() => Instrument) => {
    const figure: Figure = figures[name];
    let instrument = figure.of.includes(process as ProcessName) ? make(figure) : undefined;
    return () => {
      instrument ??= make({ ...figure, labels: withoutValues(figure.labels) });
      return instrument;
    };
  };
  return {
    counter(name) {
      const counter = made(name, (figure) => metrics.counter({ name, ...figure }));
      return (labels = {}) => counter().inc(labels);
    },
    histogram(name) {
      const histogram = made(name, (figure) => metrics.histogram({ name, buckets: [], ...figure }));
      return (seconds, labels = {}) => histogram().observe(labels, seconds);
    },
    gauge: (name, read) => metrics.gauge({ name, ...figures[name] }, read),
  };
}

const withoutValues = (labels: Figure['labels'] = {}): Record<string, []> =>
  Object.fromEntries(Object.keys(labels).map((label) => [label, []]));
