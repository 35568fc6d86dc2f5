import { type Comparison, estimateRatio } from '../measure/pairs.ts';
import { judge, judgeEstimate } from '../measure/report.ts';
import { formatEstimate, median } from '../measure/statistics.ts';
import type { Caller, Round } from './load.ts';

const bars = { capacity: 0.85, median: 1.5, processor: 0.6 };
const ourPrograms = ['api', 'worker', 'voice', 'shipper'];
const engines = ['Asterisk', 'Kamailio'];

export const printRound =
  ({ name }: Caller) =>
  ({ rate, calls, failed, why, p50Ms, p95Ms, p99Ms }: Round): void => {
    const times = [p50Ms, p95Ms, p99Ms].map((ms) => ms.toFixed(0)).join('/');
    const reasons = failed > 0 && why !== '' ? ` (${why})` : '';
    console.log(
      `${name}: ${rate.toFixed(0)} calls/s, ${failed} of ${calls} failed${reasons}, p50/p95/p99 ${times} ms`,
    );
  };

const sum = (costs: Map<string, number>, names: string[]): number =>
  names.reduce((total, name) => total + (costs.get(name) ?? 0), 0);

/** Compares the service with the minimal prepaid service. */
export function reportAgainstBare({ pairs }: Comparison, isShort: boolean): void {
  const capacity = estimateRatio(
    pairs.map(({ a, b }) => ({ a: b, b: a })),
    ({ costMs }) => costMs,
  );
  judgeEstimate('calls.capacity', capacity, { bar: bars.capacity, kind: 'least', isShort });
  const latency = estimateRatio(pairs, ({ values }) => values.p50Ms ?? Number.NaN);
  judgeEstimate('calls.median', latency, { bar: bars.median, kind: 'most', isShort });
  const processor = median(pairs.map(({ a }) => sum(a.costs, ourPrograms) / sum(a.costs, engines)));
  judge('calls.processor', processor, { bar: bars.processor, kind: 'most', isShort });
}

/** Compares two platforms of the service: in total, without the engines, and for each process. */
export function reportRelative(name: string, { pairs }: Comparison): void {
  console.log(`calls.${name}: cost per call ${formatEstimate(estimateRatio(pairs, ({ costMs }) => costMs))}`);
  const own = estimateRatio(pairs, ({ costs }) => sum(costs, ['PostgreSQL', ...ourPrograms]));
  console.log(`calls.${name}: PostgreSQL and our processes ${formatEstimate(own)}`);
  for (const process of pairs[0]?.a.costs.keys() ?? []) {
    const ratio = estimateRatio(pairs, ({ costs }) => costs.get(process) ?? Number.NaN);
    console.log(`calls.${name}: ${process} ${formatEstimate(ratio)}`);
  }
  const latency = estimateRatio(pairs, ({ values }) => values.p50Ms ?? Number.NaN);
  console.log(`calls.${name}: median latency ${formatEstimate(latency)}`);
}
