import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { readJson, writeJson } from './files.ts';
import { inDev } from './paths.ts';
import { UserError } from './user-error.ts';

export type PortName =
  | 'postgres'
  | 'redis'
  | 'smtp'
  | 'mail'
  | 'api'
  | 'apiOps'
  | 'workerOps'
  | 'voice'
  | 'voiceOps'
  | 'shipperOps'
  | 'nodeAri'
  | 'simulatorAri'
  | 'simulatorAmi'
  | 'testPostgres'
  | 'testRedis';

export type Ports = Partial<Record<PortName, number>>;

interface State {
  ports: Ports;
}

// Below Linux's range of ephemeral ports.
const lowestPort = 20_000;
const highestPort = 32_000;
const maxAttempts = 200;
const stateFile = inDev('state.json');

export function readPorts(): Ports {
  return readJson<State>(stateFile)?.ports ?? {};
}

/** Returns the port this checkout keeps for a service; chooses another if it is taken by another program. */
export async function settlePort(name: PortName): Promise<number> {
  const ports = readPorts();
  const kept = ports[name];
  if (kept !== undefined && (await isFree(kept))) return kept;
  const port = await freePort(Object.values(ports));
  if (kept !== undefined) console.log(`Port ${kept} is used by another program; ${name} moves to ${port}.`);
  writeJson(stateFile, { ports: { ...readPorts(), [name]: port } } satisfies State);
  return port;
}

export function knownPort(name: PortName): number {
  const port = readPorts()[name];
  if (port === undefined)
    throw new UserError('Nothing has been started in this checkout yet. Run ./dev up first.');
  return port;
}

/** Ports handed out already: a port appears free until a process listens on it, which may be much later. */
const given = new Set<number>();

export async function freePort(avoided: number[] = []): Promise<number> {
  const [lowest, highest] = ownRange();
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const port = randomInt(lowest, highest);
    if (given.has(port) || avoided.includes(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
  throw new UserError(`No free port found between ${lowest} and ${highest}.`);
}

/** Returns this process's half of the port range: tests run in two processes that do not see each other's ports. */
function ownRange(): [number, number] {
  const { VITEST_POOL_ID: worker } = process.env;
  const middle = (lowestPort + highestPort) / 2;
  if (worker === undefined) return [lowestPort, highestPort];
  return Number(worker) % 2 === 0 ? [lowestPort, middle] : [middle, highestPort];
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
