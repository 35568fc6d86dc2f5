import { parseArgs } from 'node:util';
import { runNeighbour } from '../test/scenarios/neighbour/run.ts';
import { measured } from '../test/scenarios/neighbour/work.ts';
import { percentile } from './calls-list.ts';

/** Measures how much slower an account becomes while a test account tries to use more than each of its budgets. */
const bar = 1.5;
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, rate: { type: 'string', default: '10' } },
});
const options = { seconds: Number(values.seconds), rate: Number(values.rate) };
if (!(options.seconds > 0 && options.rate > 0))
  throw new Error('--seconds and --rate must be numbers above zero.');

const report = await runNeighbour(options, (what) => console.log(`${new Date().toISOString()}  ${what}`));
const rows = measured.map((what) => {
  const [quiet, attacked] = [percentile(report.quiet[what], 0.95), percentile(report.attacked[what], 0.95)];
  return { what, count: report.attacked[what].length, quiet, attacked, ratio: attacked / quiet };
});
console.log(
  [
    `| p95 | alone (ms) | beside the attack (ms) | ratio (at most ${bar}) | count |`,
    '|---|---|---|---|---|',
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
for (const fault of report.faults) console.log(`FAULT  ${fault}`);
process.exitCode = report.faults.length === 0 && rows.every(({ ratio }) => ratio <= bar) ? 0 : 1;
