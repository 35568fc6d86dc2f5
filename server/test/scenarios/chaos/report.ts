import { victimNames } from '../../harness/deployments/chaos.ts';
import type { ChaosReport } from './run.ts';

/** The figures of a run, as a table for people. */
export function tableOf(report: ChaosReport): string {
  const { options, placed, records, kills, differencesMs } = report;
  const accepted = placed.filter(({ id }) => id !== undefined);
  const sorted = differencesMs.toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  const rows: [string, string | number][] = [
    ['Seed', options.seed],
    ['Calls asked for, at calls a second', `${placed.length}, ${options.rate}`],
    ['Accepted', accepted.length],
    ['Refused', refusals(report)],
    ['Requests repeated until answered', placed.filter(({ attempts }) => attempts > 1).length],
    [
      'Longest wait for an answer (s)',
      (Math.max(0, ...placed.map((call) => call.waitedMs)) / 1000).toFixed(1),
    ],
    ['Kills', kills.length],
    ...victimNames.map((victim): [string, number] => [
      `… of ${victim}`,
      kills.filter((kill) => kill.victim === victim).length,
    ]),
    ['Programs that crashed', report.crashes],
    ['Calls that were answered', records.filter(({ answeredAtMs }) => answeredAtMs !== null).length],
    ['Calls whose media node was killed', report.struck],
    ['Ends by cause', causes(report)],
    ['Difference of talk to the carrier, p50 / p99 / most (ms)', `${at(0.5)} / ${at(0.99)} / ${at(1)}`],
    ['Seconds until nothing was left', (report.quietMs / 1000).toFixed(1)],
    ['Faults', report.faults.length],
  ];
  return ['| What | Figure |', '|---|---|', ...rows.map(([what, figure]) => `| ${what} | ${figure} |`)].join(
    '\n',
  );
}

const refusals = ({ placed }: ChaosReport): string =>
  counted(placed.filter(({ id }) => id === undefined).map(({ status, code }) => `${status} ${code}`)) || '0';

const causes = ({ records }: ChaosReport): string => counted(records.map(({ cause }) => cause ?? 'none'));

const counted = (words: string[]): string =>
  [...Map.groupBy(words, (word) => word)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([word, { length }]) => `${word} ${length}`)
    .join(', ');
