import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ship } from '../../../src/adapters/asterisk/shipper/index.ts';
import { wav } from '../../harness/fixtures/recordings.ts';

let directory: string;
let server: Server;
let uploads: number;
const lines: unknown[] = [];
const stopping = new AbortController();

/** Accepts records, and never responds to uploads, like a voice process whose object store is unavailable. */
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'disca-ship-'));
  uploads = 0;
  server = createServer((request, response) => {
    if (request.method === 'PUT') {
      uploads += 1;
      request.resume();
      return;
    }
    void json(request).then((body) => {
      lines.push(...(body as { lines: unknown[] }).lines);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  stopping.abort();
  server.closeAllConnections();
  server.close();
  await rm(directory, { recursive: true, force: true });
});

test('ERR-16 uploads that hang do not delay the detail records of calls', async () => {
  const recordingsDirectory = join(directory, 'recordings');
  const recordsFile = join(directory, 'cdr.json');
  await mkdir(recordingsDirectory);
  await writeFile(join(recordingsDirectory, '01890000-0000-7000-8000-000000000001.wav'), wav(1));
  const { port } = server.address() as AddressInfo;
  const shipping = ship(
    {
      url: `http://127.0.0.1:${port}`,
      node: 'm1',
      secret: 'a-secret',
      recordsFile,
      recordingsDirectory,
      onError: () => undefined,
    },
    stopping.signal,
  );
  await expect.poll(() => uploads).toBe(1);
  await appendFile(recordsFile, '{"call":1}\n');
  await expect.poll(() => lines, { timeout: 10_000 }).toEqual([{ call: 1 }]);
  stopping.abort();
  server.closeAllConnections();
  await shipping;
});
