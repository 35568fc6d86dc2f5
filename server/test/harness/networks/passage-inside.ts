// Runs in a name space: what comes by a file named after a port goes to that port of the loopback in here.
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
// Ends with whoever started it.
process.stdin.on('end', () => process.exit()).resume();
