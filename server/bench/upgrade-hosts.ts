import { runUpgrade } from '../test/scenarios/hosts/upgrade-hosts.ts';

/** Upgrades a cell on hosts from the previous release and goes back while calls are placed, and prints what was lost. */
const report = await runUpgrade((what) => console.log(`${new Date().toISOString()}  ${what}`));
const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
const { gapMs, steps } = report;
const tookMs = (direction: 'upgrade' | 'back'): number =>
  steps
    .filter((step) => step.direction === direction)
    .reduce((sum, { atMs, endedAtMs }) => sum + endedAtMs - atMs, 0);
const rows: [string, string | number][] = [
  ['Upgraded from, and back to', report.from],
  ['Steps: the migrations, and one service of one host each', steps.length],
  ['Upgrade / back (s)', `${seconds(tookMs('upgrade'))} / ${seconds(tookMs('back'))}`],
  [
    'Longest time without a response / an answered call / a webhook (s)',
    [gapMs.api, gapMs.calls, gapMs.webhooks].map(seconds).join(' / '),
  ],
  ['Calls accepted; dialled on softphones', `${report.accepted}; ${report.dialled}`],
  ['Calls not connected while an edge was replaced', report.lostRinging],
  ['Calls that talked while all but the media nodes were replaced twice (s)', report.longCalls.join(', ')],
  ['Lost or wrong', report.faults.length],
];
console.log(
  ['| Measurement | Result |', '|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'),
);
for (const fault of report.faults) console.log(`FAULT  ${fault}`);
process.exitCode = report.faults.length === 0 ? 0 : 1;
