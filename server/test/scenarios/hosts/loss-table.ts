import { type HostLossName, hostLosses } from './host-losses.ts';
import type { HostLossReport } from './lose-host.ts';

export type NamedReport = HostLossReport & { name: HostLossName };

const columns = [
  'Lost',
  'Runs',
  'Longest time without a response (s)',
  '… without an answered call (s)',
  '… without a webhook (s)',
  'Calls accepted',
  'Requests refused',
  'Accepted, not answered',
  'Running calls kept',
  'Recordings of answered calls',
  'Lost or wrong',
  'What is lost, what takes over',
];

/** Returns one Markdown table with a row for each loss, in the order of their first reports. */
export function lossTable(reports: NamedReport[]): string {
  const rows = [...Map.groupBy(reports, ({ name }) => name)].map(([name, group]) => rowOf(name, group));
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function rowOf(name: HostLossName, reports: NamedReport[]): (string | number)[] {
  const sum = (of: (report: NamedReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  const gap = (of: keyof HostLossReport['gapMs']): string =>
    range(reports.map(({ gapMs }) => (gapMs[of] / 1_000).toFixed(1)));
  return [
    name,
    reports.length,
    gap('api'),
    gap('calls'),
    gap('webhooks'),
    sum(({ accepted }) => accepted),
    range(reports.map(({ refused }) => String(refused.length))),
    range(reports.map(({ unanswered }) => String(unanswered))),
    `${sum(({ kept }) => kept)} of ${sum(({ running }) => running)}`,
    `${sum(({ recordings }) => recordings)} of ${sum(({ answered }) => answered)}`,
    sum(({ faults }) => faults.length),
    hostLosses[name].effect,
  ];
}

/** Returns the lowest and the highest of these numbers. */
function range(values: string[]): string {
  const sorted = values.toSorted((a, b) => Number(a) - Number(b));
  const [lowest = '', highest = ''] = [sorted[0], sorted.at(-1)];
  return lowest === highest ? lowest : `${lowest} to ${highest}`;
}
