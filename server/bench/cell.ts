import { once } from 'node:events';
import { startHostCell } from '../test/harness/hosts/cell.ts';

/** Starts a whole cell on hosts of its own network, prints its addresses, and stops it when it is interrupted. */
const startedAtMs = Date.now();
const cell = await startHostCell({ onStep: (what) => console.log(`  ${what}`) });
console.log(`\nUp in ${Math.round((Date.now() - startedAtMs) / 1_000)} s.\n`);
const rows = [
  ['API', cell.apiUrl],
  ['Mail', cell.mailUrl],
  ['PostgreSQL', cell.ownerUrl],
  ['Carrier', cell.engines.simulator.carrier],
  ['Files', cell.dir],
  ...cell.inventory.hosts.map((host) => [
    host.name,
    'publicAddress' in host ? `${host.address}, public ${host.publicAddress}` : host.address,
  ]),
];
for (const [name = '', address = ''] of rows) console.log(`  ${name.padEnd(11)}${address}`);
console.log('\nPress Ctrl-C to stop it.');
// Keeps this process alive; pools and sockets may be idle.
const alive = setInterval(() => undefined, 60_000);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
clearInterval(alive);
console.log('Stopping …');
await cell.stop();
process.exit(0);
