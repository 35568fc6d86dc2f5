import {
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client';

/** A registry a process owns; nothing is registered globally, so that tests may run many processes in one. */
export interface Metrics {
  counter(configuration: Omit<CounterConfiguration<string>, 'registers'>): Counter;
  histogram(configuration: Omit<HistogramConfiguration<string>, 'registers'>): Histogram;
  gauge(name: string, help: string, read: () => number): void;
  /** One value for each key of the map. */
  labelledGauge(name: string, help: string, label: string, values: ReadonlyMap<string, number>): void;
  contentType: string;
  text(): Promise<string>;
}

export function createMetrics(process: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    counter: (configuration) => new Counter({ ...configuration, registers }),
    histogram: (configuration) => new Histogram({ ...configuration, registers }),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
    labelledGauge(name, help, label, values) {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          for (const [key, value] of values) this.set({ [label]: key }, value);
        },
      });
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
