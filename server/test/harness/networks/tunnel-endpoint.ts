// Runs in a network namespace: connections to a socket file named after a port are forwarded to that loopback port.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

const [folder = '', ...ports] = process.argv.slice(2);

await Promise.all(
  ports.map(async (port) => {
    const server = createServer((outside) => {
      const within = connect(Number(port), '127.0.0.1');
      outside.pipe(within).pipe(outside);
      outside.on('error', () => within.destroy());
      within.on('error', () => outside.destroy());
    });
    server.listen(join(folder, port));
    await once(server, 'listening');
  }),
);
process.stdout.write('open\n');
// Exits together with its parent process.
process.stdin.on('end', () => process.exit()).resume();
