import type { Caller, Round } from './call-load.ts';

/** CPU cost per call of one participant. */
export interface Cost {
  name: string;
  /** CPU time in milliseconds. */
  ms: number;
}

export interface Side {
  /** Highest rate, in calls per second. */
  saturation: number;
  /** At half the saturation rate of the bare engines. */
  round: Round;
  costs: Cost[];
}

const bars = { median: 2, processor: 0.6, saturation: 0.6 };

export const printRound =
  ({ name }: Caller) =>
  ({ rate, calls, failed, why, p50Ms, p95Ms, p99Ms }: Round): void => {
    const times = [p50Ms, p95Ms, p99Ms].map((ms) => ms.toFixed(0)).join('/');
    const reasons = failed > 0 && why !== '' ? ` (${why})` : '';
    console.log(`${name}: ${rate} calls/s, ${failed} of ${calls} failed${reasons}, p50/p95/p99 ${times} ms`);
  };

export function reportSides(bare: Side, ours: Side): void {
  console.log(`calls.saturation: ${ours.saturation} calls/s, bare ${bare.saturation} calls/s`);
  console.log(`calls.cpu per call: ${listed(ours.costs)}; bare ${listed(bare.costs)}`);
  const isWhole = ours.round.failed === 0;
  console.log(`calls.failed at ${ours.round.rate} calls/s: ${ours.round.failed}, bare ${bare.round.failed}`);
  if (!isWhole) process.exitCode = 1;
  judge('calls.median', ours.round.p50Ms / bare.round.p50Ms, bars.median, 'most');
  judge(
    'calls.processor',
    sumCosts(ours.costs, isOurs) / sumCosts(ours.costs, isEngine),
    bars.processor,
    'most',
  );
  if (!Number.isNaN(ours.saturation))
    judge('calls.saturation', ours.saturation / bare.saturation, bars.saturation, 'least');
}

const isEngine = ({ name }: Cost): boolean => name === 'Asterisk' || name === 'Kamailio';
const isOurs = (cost: Cost): boolean => !isEngine(cost) && cost.name !== 'PostgreSQL';
const sumCosts = (costs: Cost[], isMeant: (cost: Cost) => boolean): number =>
  costs.filter(isMeant).reduce((sum, { ms }) => sum + ms, 0);
const listed = (costs: Cost[]): string =>
  costs.map(({ name, ms }) => `${name} ${ms.toFixed(1)} ms`).join(', ');

function judge(name: string, ratio: number, bar: number, kind: 'most' | 'least'): void {
  console.log(`ratio ${name} ${ratio.toFixed(2)} (bar ${bar.toFixed(2)})`);
  if (!(kind === 'most' ? ratio <= bar : ratio >= bar)) process.exitCode = 1;
}
