import type { Metrics, Reading } from '../../platform/telemetry/metrics.ts';
import {
  type MetricDefinition,
  type MetricName,
  metricDefinitions,
  type ProcessName,
} from './metric-definitions.ts';

type Named<Kind extends MetricDefinition['kind']> = {
  [Name in MetricName]: (typeof metricDefinitions)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];

type Labels = Record<string, string | number>;

/** The instruments of one process, by metric name. */
export interface Instruments {
  counter(name: Named<'counter'>): (labels?: Labels) => void;
  histogram(name: Named<'histogram'>): (seconds: number, labels?: Labels) => void;
  gauge(name: Named<'gauge'>, read: () => Reading[] | Promise<Reading[]>): void;
}

export function createInstruments(metrics: Metrics, process: string): Instruments {
  /** Creates the metrics of this process at start, and others on first use. */
  const lazily = <Instrument>(
    name: MetricName,
    make: (definition: MetricDefinition) => Instrument,
  ): (() => Instrument) => {
    const definition: MetricDefinition = metricDefinitions[name];
    let instrument = definition.processes.includes(process as ProcessName) ? make(definition) : undefined;
    return () => {
      instrument ??= make({ ...definition, labels: withoutValues(definition.labels) });
      return instrument;
    };
  };
  return {
    counter(name) {
      const counter = lazily(name, (definition) => metrics.counter({ name, ...definition }));
      return (labels = {}) => counter().inc(labels);
    },
    histogram(name) {
      const histogram = lazily(name, (definition) => metrics.histogram({ name, buckets: [], ...definition }));
      return (seconds, labels = {}) => histogram().observe(labels, seconds);
    },
    gauge: (name, read) => metrics.gauge({ name, ...metricDefinitions[name] }, read),
  };
}

const withoutValues = (labels: MetricDefinition['labels'] = {}): Record<string, []> =>
  Object.fromEntries(Object.keys(labels).map((label) => [label, []]));
