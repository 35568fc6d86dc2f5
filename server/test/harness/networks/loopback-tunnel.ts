import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandInside } from './namespaces.ts';

export interface LoopbackTunnel {
  close(): Promise<void>;
}

const script = fileURLToPath(import.meta.resolve('./tunnel-endpoint.ts'));

/**
 * Forwards loopback ports of this machine into a network namespace, to control the processes there. Uses Unix sockets,
 * so that the namespace has no network other than its router.
 */
export async function openLoopbackTunnel(namespace: string, ports: number[]): Promise<LoopbackTunnel> {
  const folder = await mkdtemp(join(tmpdir(), 'disca-passage-'));
  const { command, args } = commandInside(namespace, process.execPath, script, folder, ...ports.map(String));
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), exited]);
  if (child.exitCode !== null) throw new Error(`The tunnel into ${namespace} could not be opened.`);
  const servers = await Promise.all(ports.map((port) => lead(port, join(folder, String(port)))));
  return {
    async close() {
      for (const server of servers) server.close();
      child.stdin.end();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function lead(port: number, path: string): Promise<Server> {
  const server = createServer((outside) => {
    const within = connect(path);
    outside.pipe(within).pipe(outside);
    for (const [one, other] of [
      [outside, within],
      [within, outside],
    ] as const) {
      one.once('error', () => other.destroy());
      one.once('close', () => other.destroy());
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
