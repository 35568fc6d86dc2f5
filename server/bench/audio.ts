import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { inDev } from '../../tools/dev/paths.ts';
import { checkBounds } from '../test/scenarios/audio/bounds.ts';
import { hardFaults, lateCalls } from '../test/scenarios/audio/faults.ts';
import { formatBounds, formatReport } from '../test/scenarios/audio/report.ts';
import { runAudio } from '../test/scenarios/audio/run.ts';
import { openSummary } from '../test/scenarios/audio/summary.ts';

/**
 * Places calls of every shape and measures what each party hears. The same seed plans the same calls. With --append,
 * results are added to a file as they come, calls of this seed that it contains are not placed again, and the report
 * covers the whole file.
 */
const { values } = parseArgs({
  options: {
    append: { type: 'string' },
    calls: { type: 'string', default: '96' },
    concurrency: { type: 'string', default: '2' },
    disturb: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const calls = Number(values.calls);
const concurrency = Number(values.concurrency);
const seed = Number(values.seed);
const maxConcurrency = 25;
if (!(calls > 0 && concurrency > 0 && concurrency <= maxConcurrency && seed >= 0)) {
  throw new Error(`--calls, --concurrency (at most ${maxConcurrency}) and --seed must be numbers.`);
}

const summary = values.append === undefined ? undefined : openSummary(values.append);
const options = { calls, concurrency, seed, isDisturbed: values.disturb };
const report = await runAudio(options, {
  done: summary?.namesOf(seed),
  onStep: (what) => console.log(`${new Date().toISOString()}  ${what}`),
  onResult: (result) => summary?.add(seed, result),
});
const file = inDev('audio', `report-${calls}-${concurrency}-${seed}.json`);
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, JSON.stringify(report, null, 2));

const { seconds } = report;
const placed = report.results.length;
console.log(
  `${placed} calls in ${seconds.toFixed(0)} s, ${(placed / seconds).toFixed(2)} per second. Seed ${seed}. Load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores. Times have a resolution of 10 ms, and of 16 ms in browsers.`,
);
const results = summary?.results() ?? report.results;
const faults = results.flatMap(hardFaults);
console.log(formatReport(results));
console.log(formatBounds(results));
for (const { name, error, isExcused } of results)
  if (isExcused) console.log(`NOT CONNECTED  ${name}: ${error}`);
for (const fault of faults) console.log(`FAULT  ${fault}`);
for (const late of lateCalls(results)) console.log(`LATE   ${late}`);
if (report.keptIn !== undefined)
  console.log(`The audio of faulty calls and the logs are in ${report.keptIn}.`);
console.log(`The report is in ${file}.`);
process.exitCode = faults.length === 0 && checkBounds(results).every(({ isMet }) => isMet) ? 0 : 1;
