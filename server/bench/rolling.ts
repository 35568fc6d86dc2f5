import { parseArgs } from 'node:util';
import { runRolling } from '../test/scenarios/many-nodes/rolling.ts';

/** Restarts every process, and with --engines also edges and nodes, one by one, while calls are placed. */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    rate: { type: 'string', default: '10' },
    engines: { type: 'boolean', default: false },
    'keep-logs': { type: 'boolean', default: false },
  },
});
const options = { seconds: Number(values.seconds), rate: Number(values.rate) };
if (!(options.seconds > 0 && options.rate > 0))
  throw new Error('--seconds and --rate must be numbers above zero.');

const report = await runRolling(
  { ...options, withEngines: values.engines, keepsLogs: values['keep-logs'] },
  (what) => console.log(`${new Date().toISOString()}  ${what}`),
);
const { placed, dialled, records, restarts } = report;
const tookMs = placed.map((call) => call.tookMs).toSorted((a, b) => a - b);
const at = (share: number): number => tookMs[Math.floor((tookMs.length - 1) * share)] ?? 0;
const rows: [string, string | number][] = [
  ['Calls requested, at calls per second', `${placed.length}, ${options.rate}`],
  [
    'Calls dialled by softphones; of these failed',
    `${dialled.length}; ${dialled.filter(({ fault }) => fault !== undefined).length}`,
  ],
  ['Failed requests', placed.filter(({ fault }) => fault !== undefined).length],
  [
    'Calls that did not end as their softphone intended',
    records.filter(({ cause }) => cause !== 'NORMAL_CLEARING').length,
  ],
  ['Processes restarted', restarts.map(({ name }) => name).join(', ')],
  [
    'Longest time until a process ended (s)',
    (Math.max(...restarts.map(({ endedMs }) => endedMs)) / 1000).toFixed(1),
  ],
  ['POST /calls, p50 / p99 / max (ms)', `${at(0.5)} / ${at(0.99)} / ${at(1)}`],
  ['Webhooks; of these resent', `${report.webhooks}; ${report.repeated}`],
  ['Seconds until idle', (report.quietMs / 1000).toFixed(1)],
  ['Faults', report.faults.length],
];
console.log(
  [
    '| Measurement | Result |',
    '|---|---|',
    ...rows.map(([measurement, result]) => `| ${measurement} | ${result} |`),
  ].join('\n'),
);
for (const fault of report.faults) console.log(`FAULT  ${fault}`);
process.exitCode = report.faults.length === 0 ? 0 : 1;
