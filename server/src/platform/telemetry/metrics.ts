import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Labels with the initial values of a metric; values that appear later are not listed. */
type Labels = Record<string, readonly string[]>;

export interface MetricDescription {
  name: string;
  help: string;
  labels?: Labels;
}

/** One value of a gauge with labels. */
export interface Reading {
  labels: Record<string, string>;
  value: number;
}

/** A metrics registry. There is no global one, so that tests can run several in one process. */
export interface Metrics {
  counter(description: MetricDescription): Counter;
  histogram(description: MetricDescription & { buckets: number[] }): Histogram;
  /** `read` is called on every scrape; values that it does not return are absent. */
  gauge(description: MetricDescription, read: () => Reading[] | Promise<Reading[]>): void;
  contentType: string;
  text(): Promise<string>;
}

export function createMetrics(process: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  const common = ({ name, help, labels = {} }: MetricDescription) => ({
    name,
    help,
    labelNames: Object.keys(labels),
    registers: [registry],
  });
  return {
    counter(description) {
      const counter = new Counter(common(description));
      for (const labels of combinations(description.labels)) counter.inc(labels, 0);
      return counter;
    },
    histogram(description) {
      const histogram = new Histogram({ ...common(description), buckets: description.buckets });
      for (const labels of combinations(description.labels)) histogram.zero(labels);
      return histogram;
    },
    gauge(description, read) {
      const { labelNames } = common(description);
      new Gauge({
        ...common(description),
        async collect() {
          const readings = await read();
          this.reset();
          // A gauge without labels would report 0, but an unknown value is not 0.
          if (labelNames.length === 0) this.remove();
          for (const { labels, value } of readings) this.set(labels, value);
        },
      });
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

/** The value of a gauge without labels. */
export const reading = (value: number): Reading[] => [{ labels: {}, value }];

/** Returns all combinations of label values; none if the values of a label are not known in advance. */
function combinations(labels: Labels = {}): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (all, [name, values]) => all.flatMap((known) => values.map((value) => ({ ...known, [name]: value }))),
    [{}],
  );
}
