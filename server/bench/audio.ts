import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { inDev } from '../../tools/dev/paths.ts';
import { formatReport } from '../test/scenarios/audio/report.ts';
import { runAudio } from '../test/scenarios/audio/run.ts';

/** Places calls of every shape and measures what each party hears. The same seed plans the same calls. */
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '96' },
    concurrency: { type: 'string', default: '4' },
    disturb: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const options = {
  calls: Number(values.calls),
  concurrency: Number(values.concurrency),
  seed: Number(values.seed),
};
const maxConcurrency = 25;
if (
  !(
    options.calls > 0 &&
    options.concurrency > 0 &&
    options.concurrency <= maxConcurrency &&
    options.seed >= 0
  )
) {
  throw new Error(`--calls, --concurrency (at most ${maxConcurrency}) and --seed must be numbers.`);
}

const report = await runAudio({ ...options, isDisturbed: values.disturb }, (what) =>
  console.log(`${new Date().toISOString()}  ${what}`),
);
const file = inDev('audio', `report-${options.calls}-${options.concurrency}-${options.seed}.json`);
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, JSON.stringify(report, null, 2));
const { seconds } = report;
console.log(
  `${options.calls} calls in ${seconds.toFixed(0)} s, ${(options.calls / seconds).toFixed(2)} per second. Seed ${options.seed}. Times have a resolution of 10 ms, and of 16 ms in browsers.`,
);
console.log(formatReport(report));
for (const { name, error, isExcused } of report.results)
  if (isExcused) console.log(`NOT CONNECTED  ${name}: ${error}`);
for (const fault of report.faults) console.log(`FAULT  ${fault}`);
for (const fault of report.timing) console.log(`LATE   ${fault}`);
if (report.keptIn !== undefined)
  console.log(`The audio of faulty calls and the logs are in ${report.keptIn}.`);
console.log(`The report is in ${file}.`);
process.exitCode = report.faults.length + report.timing.length === 0 ? 0 : 1;
