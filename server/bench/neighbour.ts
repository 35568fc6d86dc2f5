import { parseArgs } from 'node:util';
import { runNeighbour } from '../test/scenarios/neighbour/run.ts';
import { measured } from '../test/scenarios/neighbour/work.ts';
import { percentile } from './calls-list.ts';

/** Measures how much slower an account becomes while a test account tries to use more than each of its budgets. */
const bar = 1.5;
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '10' },
    // Checks in seconds that budgets are refused and the neighbour has no faults; times need the long run.
    short: { type: 'boolean', default: false },
  },
});
const options = values.short
  ? { seconds: 5, rate: 10, isShort: true }
  : { seconds: Number(values.seconds), rate: Number(values.rate) };
if (!(options.seconds > 0 && options.rate > 0))
  throw new Error('--seconds and --rate must be numbers above zero.');

const report = await runNeighbour(options, (what) => console.log(`${new Date().toISOString()}  ${what}`));
const { quiet: alone } = report;
const rows = (alone ? measured : []).map((what) => {
  const [quiet, attacked] = [percentile(alone?.[what] ?? [], 0.95), percentile(report.attacked[what], 0.95)];
  return { what, count: report.attacked[what].length, quiet, attacked, ratio: attacked / quiet };
});
console.log(
  [
    ...(alone
      ? [
          `| p95 | alone (ms) | beside the attack (ms) | ratio (at most ${bar}) | count |`,
          '|---|---|---|---|---|',
        ]
      : []),
    ...rows.map(
      ({ what, count, quiet, attacked, ratio }) =>
        `| ${what} | ${quiet.toFixed(1)} | ${attacked.toFixed(1)} | ${ratio.toFixed(2)} | ${count} |`,
    ),
    '',
    '| budget | responses to the attacker |',
    '|---|---|',
    ...Object.entries(report.responses).map(
      ([resource, counts]) =>
        `| ${resource} | ${Object.entries(counts)
          .map(([response, count]) => `${count} × ${response}`)
          .join(', ')} |`,
    ),
    `| webhook_requests | at most ${report.slowWebhooks} at once |`,
  ].join('\n'),
);
for (const resource of report.notRefused) console.log(`not refused  ${resource}`);
for (const fault of report.faults) console.log(`FAULT  ${fault}`);
// A long run need not use up the budgets of a day.
const isRefused = !values.short || report.notRefused.length === 0;
process.exitCode = isRefused && report.faults.length === 0 && rows.every(({ ratio }) => ratio <= bar) ? 0 : 1;
