import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { inDev } from '../../tools/dev/paths.ts';
import { formatReport } from '../test/scenarios/chaos/report.ts';
import { runChaos } from '../test/scenarios/chaos/run.ts';

/** Places calls while processes are killed at random. The same seed repeats the same actions, as far as possible. */
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '300' },
    kills: { type: 'string', default: '16' },
    rate: { type: 'string', default: '4' },
    'keep-logs': { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const options = {
  calls: Number(values.calls),
  kills: Number(values.kills),
  rate: Number(values.rate),
  seed: Number(values.seed),
};
if (Object.values(options).some((value) => !(value >= 0 && Number.isFinite(value))) || options.rate === 0) {
  throw new Error('--calls, --kills, --rate and --seed must be numbers.');
}

const report = await runChaos({ ...options, keepsLogs: values['keep-logs'] }, (what) =>
  console.log(`${new Date().toISOString()}  ${what}`),
);
const file = inDev('chaos', `report-${options.calls}-${options.kills}-${options.seed}.json`);
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, JSON.stringify(report, null, 2));
console.log(formatReport(report));
for (const fault of report.faults) console.log(`FAULT  ${fault}`);
console.log(`The report is in ${file}.`);
process.exitCode = report.faults.length === 0 ? 0 : 1;
