import { parseArgs } from 'node:util';
import { type HostLossName, hostLosses } from '../test/scenarios/hosts/host-losses.ts';
import { loseHost, startLossCell } from '../test/scenarios/hosts/lose-host.ts';
import { lossTable, type NamedReport } from '../test/scenarios/hosts/loss-table.ts';

/** Places calls in a cell on hosts while a part of it is lost, and prints how long nothing worked and what was lost. */
const names = Object.keys(hostLosses) as HostLossName[];
const { values } = parseArgs({
  options: { host: { type: 'string', multiple: true }, times: { type: 'string', default: '1' } },
});
const chosen = (values.host ?? names) as HostLossName[];
const unknown = chosen.find((name) => !names.includes(name));
if (unknown !== undefined) throw new Error(`There is no "${unknown}". Possible losses: ${names.join('; ')}.`);
const times = Number(values.times);
if (!(Number.isInteger(times) && times > 0)) throw new Error('--times must be a whole number above 0.');

const onStep = (what: string): void => console.log(`${new Date().toISOString()}  ${what}`);
const movesClock = chosen.some((name) => name.startsWith('clock'));
const cell = await startLossCell({ onStep, ...(movesClock && { withClock: ['media1'] }) });
const reports: NamedReport[] = [];
let keepsLogs = true;
try {
  for (let time = 0; time < times; time += 1)
    for (const name of chosen) reports.push({ name, ...(await loseHost(cell, name, onStep)) });
  keepsLogs = reports.some(({ faults }) => faults.length > 0);
} finally {
  if (keepsLogs) onStep(`the logs are in ${cell.dir}`);
  await cell.stop(keepsLogs);
}

console.log(lossTable(reports));
for (const { name, refused, faults } of reports) {
  for (const refusal of refused) console.log(`refused  ${name}  ${refusal}`);
  for (const fault of faults) console.log(`FAULT  ${name}  ${fault}`);
}
process.exitCode = keepsLogs ? 1 : 0;
