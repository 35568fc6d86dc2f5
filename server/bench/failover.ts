import { parseArgs } from 'node:util';
import {
  type FailoverReport,
  runFailover,
  startFailoverDeployment,
} from '../test/scenarios/failover/failover.ts';
import { type HostFaultName, hostFaults } from '../test/scenarios/failover/host-faults.ts';

/** Places calls while hosts of the database fail, and prints how long nothing worked and whether anything was lost. */
const names = Object.keys(hostFaults) as HostFaultName[];
const { values } = parseArgs({
  options: { fault: { type: 'string', multiple: true }, times: { type: 'string', default: '1' } },
});
const faults = (values.fault ?? names) as HostFaultName[];
const unknown = faults.find((fault) => !names.includes(fault));
if (unknown !== undefined) throw new Error(`There is no fault "${unknown}". Faults: ${names.join(', ')}.`);
const times = Number(values.times);
if (!(Number.isInteger(times) && times > 0)) throw new Error('--times must be a whole number above 0.');

const onStep = (what: string): void => console.log(`${new Date().toISOString()}  ${what}`);
const withDisks = faults.includes('frozen disk of the primary');
const deployment = await startFailoverDeployment({ withDisks });
const reports: FailoverReport[] = [];
let keepsLogs = true;
try {
  for (let time = 0; time < times; time += 1)
    for (const fault of faults) reports.push(await runFailover(deployment, fault, onStep));
  keepsLogs = reports.some((report) => report.faults.length > 0);
} finally {
  if (keepsLogs) onStep(`the logs are in ${deployment.deployment.dir}`);
  await deployment.stop(keepsLogs);
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
console.log(
  '| Fault | Longest time without a response / an answered call / a webhook (s) | Accepted | Refused | Accepted, not answered | Talking at the fault | Lost or wrong |',
);
console.log('|---|---|---|---|---|---|---|');
for (const { fault, gapMs, accepted, refused, unanswered, running, faults: wrong } of reports) {
  const gaps = [gapMs.api, gapMs.calls, gapMs.webhooks].map(seconds).join(' / ');
  console.log(
    `| ${[fault, gaps, accepted, refused.length, unanswered, running, wrong.length].join(' | ')} |`,
  );
}
for (const report of reports) {
  for (const refusal of report.refused) console.log(`refused  ${report.fault}  ${refusal}`);
  for (const fault of report.faults) console.log(`FAULT  ${report.fault}  ${fault}`);
}
process.exitCode = keepsLogs ? 1 : 0;
