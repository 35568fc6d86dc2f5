import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort, isFree } from '../ports.ts';

const servers: Server[] = [];

async function listenOn(port: number, host: string): Promise<void> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
}

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

describe('ports', () => {
  it('are free and below the ephemeral range', async () => {
    const port = await freePort();
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_768);
    expect(await isFree(port)).toBe(true);
  });

  it('are handed out once, even before a process listens', async () => {
    const ports = await Promise.all(Array.from({ length: 300 }, () => freePort()));
    expect(new Set(ports).size).toBe(ports.length);
  });

  it.each(['127.0.0.1', '0.0.0.0'])('are not free while a process listens on %s', async (host) => {
    const port = await freePort();
    await listenOn(port, host);
    expect(await isFree(port)).toBe(false);
  });
});
