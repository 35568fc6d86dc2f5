import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findAdvisories } from '../advisories/find-advisories.ts';

/** Starts a registry that returns these advisories to npm, or refuses. */
async function startRegistry(names: string[], status = 200): Promise<string> {
  const advisory = (name: string) => ({
    ...{ id: 1, url: `https://example.com/advisories/GHSA-${name}`, title: `${name} is unsafe` },
    ...{ severity: 'high', vulnerable_versions: '*', cwe: [], cvss: { score: 7, vectorString: null } },
  });
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'GET') {
      const name = decodeURIComponent(request.url?.slice(1) ?? '');
      response.end(
        JSON.stringify({ name, versions: { '1.0.0': { name, version: '1.0.0' } }, 'dist-tags': {} }),
      );
    } else if (status === 200) {
      response.end(JSON.stringify(Object.fromEntries(names.map((name) => [name, [advisory(name)]]))));
    } else response.writeHead(status).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function exceptionsFile(exceptions: object[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'disca-advisories-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'exceptions.json');
  writeFileSync(file, JSON.stringify(exceptions));
  return file;
}

const now = new Date('2026-06-15T12:00:00Z');
const reason = 'only used with input of the operator';

it('refuses high advisories of packages that the server runs or the console bundles', async () => {
  // vitest is used by tests only.
  const registry = await startRegistry(['fastify', 'react', 'vitest']);
  const found = await findAdvisories(now, { registry, file: exceptionsFile([]) });
  expect(found).toEqual({
    open: [
      { id: 'GHSA-fastify', name: 'fastify', severity: 'high', title: 'fastify is unsafe' },
      { id: 'GHSA-react', name: 'react', severity: 'high', title: 'react is unsafe' },
    ],
    accepted: [],
  });
});

it('accepts an advisory with a reason until its date', async () => {
  const registry = await startRegistry(['fastify', 'pg']);
  const file = exceptionsFile([
    { id: 'GHSA-fastify', reason, expires: '2026-06-16' },
    { id: 'GHSA-pg', reason, expires: '2026-06-15' },
  ]);
  expect(await findAdvisories(now, { registry, file })).toMatchObject({
    open: [{ id: 'GHSA-pg' }],
    accepted: [{ id: 'GHSA-fastify' }],
  });
});

it('reports why it could not check if the registry returns no advisories', async () => {
  const registry = await startRegistry([], 405);
  expect(await findAdvisories(now, { registry })).toEqual({
    reason: expect.stringMatching(/^405 Method Not Allowed/),
  });
  expect(await findAdvisories(now, { registry: 'http://127.0.0.1:1/' })).toEqual({
    reason: expect.stringMatching(/127\.0\.0\.1:1/),
  });
});

it('refuses an exception without a reason or a date', async () => {
  const registry = await startRegistry([]);
  const incomplete = [
    { id: 'GHSA-pg', reason, expires: '' },
    { id: 'GHSA-pg', reason: '', expires: '2026-06-16' },
  ];
  for (const exception of incomplete)
    await expect(findAdvisories(now, { registry, file: exceptionsFile([exception]) })).rejects.toThrow();
});
