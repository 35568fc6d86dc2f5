import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The receiver of the benchmark, in a separate process. Responds to all requests except those that should hang, and
 * reports the number and age of the received events to its parent.
 */
let ages: number[] = [];
const server = createServer((request, response) => {
  const isHanging = request.url?.startsWith('/hang');
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    text += chunk;
  });
  request.on('end', () => {
    const at = Date.now();
    if (isHanging) return;
    response.writeHead(204).end();
    ages.push(at - Date.parse(/"endedAtIso":"([^"]*)"/.exec(text)?.[1] ?? ''));
  });
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('message', (message) => {
  if (message === 'take') {
    process.send?.({ ages });
    ages = [];
  }
});
process.on('disconnect', () => process.exit());
