import { parseArgs } from 'node:util';
import { type HostLossName, hostLosses } from '../test/scenarios/hosts/host-losses.ts';
import { type HostLossReport, loseHost, startLossCell } from '../test/scenarios/hosts/lose-host.ts';

/** Places calls in a cell on hosts while a host is without power, and prints how long nothing worked and what was lost. */
const names = Object.keys(hostLosses) as HostLossName[];
const { values } = parseArgs({
  options: { host: { type: 'string', multiple: true }, times: { type: 'string', default: '1' } },
});
const chosen = (values.host ?? names) as HostLossName[];
const unknown = chosen.find((name) => !names.includes(name));
if (unknown !== undefined) throw new Error(`There is no host "${unknown}". Hosts: ${names.join(', ')}.`);
const times = Number(values.times);
if (!(Number.isInteger(times) && times > 0)) throw new Error('--times must be a whole number above 0.');

const onStep = (what: string): void => console.log(`${new Date().toISOString()}  ${what}`);
const cell = await startLossCell(onStep);
const reports: (HostLossReport & { name: HostLossName })[] = [];
let keepsLogs = true;
try {
  for (let time = 0; time < times; time += 1)
    for (const name of chosen) reports.push({ name, ...(await loseHost(cell, name, onStep)) });
  keepsLogs = reports.some(({ faults }) => faults.length > 0);
} finally {
  if (keepsLogs) onStep(`the logs are in ${cell.dir}`);
  await cell.stop(keepsLogs);
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
console.log(
  '| Host without power | Longest time without a response / an answered call / a webhook (s) | Accepted | Refused | Accepted, not answered | Calls of other hosts, kept | Calls of this host | Lost or wrong |',
);
console.log('|---|---|---|---|---|---|---|---|');
for (const { name, gapMs, accepted, refused, unanswered, continued, carried, faults } of reports) {
  const gaps = [gapMs.api, gapMs.calls, gapMs.webhooks].map(seconds).join(' / ');
  const counts = [accepted, refused.length, unanswered, continued, carried, faults.length];
  console.log(`| ${[name, gaps, ...counts].join(' | ')} |`);
}
for (const { name, refused, faults } of reports) {
  for (const refusal of refused) console.log(`refused  ${name}  ${refusal}`);
  for (const fault of faults) console.log(`FAULT  ${name}  ${fault}`);
}
process.exitCode = keepsLogs ? 1 : 0;
