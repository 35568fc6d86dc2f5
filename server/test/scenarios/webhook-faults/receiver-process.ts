import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** A customer's server that may be killed: it stores acknowledged webhooks in its file. */
const { RECEIVER_PORT, RECEIVER_FILE = '' } = process.env;

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { url: path, headers } = request;
    const text = Buffer.concat(chunks).toString();
    appendFileSync(RECEIVER_FILE, `${JSON.stringify({ path, headers, text })}\n`);
    response.writeHead(204).end();
  });
}).listen(Number(RECEIVER_PORT), '127.0.0.1');

process.on('disconnect', () => process.exit());
