import { killTargets } from '../../harness/deployments/chaos.ts';
import type { ChaosReport } from './run.ts';

/** Formats the results of a run as a Markdown table. */
export function formatReport(report: ChaosReport): string {
  const { options, placed, records, kills, differencesMs } = report;
  const accepted = placed.filter(({ id }) => id !== undefined);
  const sorted = differencesMs.toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  const rows: [string, string | number][] = [
    ['Seed', options.seed],
    ['Calls requested, at calls per second', `${placed.length}, ${options.rate}`],
    ['Accepted', accepted.length],
    ['Refused', refusals(report)],
    ['Requests repeated until they succeeded', placed.filter(({ attempts }) => attempts > 1).length],
    [
      'Longest wait for a response (s)',
      (Math.max(0, ...placed.map((call) => call.waitedMs)) / 1000).toFixed(1),
    ],
    ['Kills', kills.length],
    ...killTargets.map((target): [string, number] => [
      `… of ${target}`,
      kills.filter((kill) => kill.target === target).length,
    ]),
    ['Processes that crashed without being killed', report.crashes],
    ['Answered calls', records.filter(({ answeredAtMs }) => answeredAtMs !== null).length],
    ['Calls whose media node was killed', report.struck],
    ['Ends by cause', causes(report)],
    [
      'Difference in talk time from what the carrier saw, p50 / p99 / max (ms)',
      `${at(0.5)} / ${at(0.99)} / ${at(1)}`,
    ],
    ['Seconds until no hold, running call or channel was left', (report.quietMs / 1000).toFixed(1)],
    ['Faults', report.faults.length],
  ];
  return [
    '| Measurement | Result |',
    '|---|---|',
    ...rows.map(([measurement, result]) => `| ${measurement} | ${result} |`),
  ].join('\n');
}

const refusals = ({ placed }: ChaosReport): string =>
  counted(placed.filter(({ id }) => id === undefined).map(({ status, code }) => `${status} ${code}`)) || '0';

const causes = ({ records }: ChaosReport): string => counted(records.map(({ cause }) => cause ?? 'none'));

const counted = (words: string[]): string =>
  [...Map.groupBy(words, (word) => word)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([word, { length }]) => `${word} ${length}`)
    .join(', ');
