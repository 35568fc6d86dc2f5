import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MailSink, startMailSink } from '../../../../simulator/mail-sink/index.ts';
import { root } from '../../../../tools/dev/paths.ts';
import { freePort } from '../../../../tools/dev/ports.ts';
import { isRunning, politeThenKill } from '../../../../tools/dev/process-identity.ts';
import { endAndRemove, type ProcessRecord } from '../../../../tools/dev/process-records.ts';
import { startService } from '../../../../tools/dev/services/service.ts';
import { testSettings } from '../platform.ts';

/** One process of the service, as an operator would run it. */
export interface Node {
  name: string;
  url: string;
  opsUrl: string;
  pid: number;
  isAlive(): boolean;
  /** The lines that the process has logged so far. */
  logLines(): string[];
  stop(): Promise<void>;
}

export interface FaultDeployment {
  apis: [Node, Node];
  worker: Node;
  sink: MailSink;
  nodes: Node[];
  stop(): Promise<void>;
}

export interface DeploymentOptions {
  /** Folder for logs; removed after the test. */
  dir: string;
  databaseUrl: string;
  redisUrl: string;
  settings?: Record<string, string>;
}

/** Starts two API nodes and a worker as separate processes. */
export async function startFaultDeployment(surroundings: DeploymentOptions): Promise<FaultDeployment> {
  const sink = await startMailSink();
  const [first, second, worker] = await Promise.all([
    startNode('api', 'first', surroundings, sink),
    startNode('api', 'second', surroundings, sink),
    startNode('worker', 'only', surroundings, sink),
  ]);
  const nodes = [first, second, worker];
  return {
    apis: [first, second],
    worker,
    sink,
    nodes,
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
      await sink.stop();
    },
  };
}

async function startNode(
  kind: 'api' | 'worker',
  which: string,
  { dir, databaseUrl, redisUrl, settings }: DeploymentOptions,
  sink: MailSink,
): Promise<Node> {
  const [httpPort, opsPort] = [await freePort(), await freePort()];
  const name = `${kind}-${which}-${opsPort}`;
  const entryFile = join(root, `server/src/main/${kind}.ts`);
  const logFile = join(dir, `${name}.log`);
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  const entry: ProcessRecord = await startService({
    name,
    command: process.execPath,
    args: [entryFile],
    commandIncludes: entryFile,
    logFile,
    cwd: root,
    ending: politeThenKill,
    outlives: false,
    env: {
      ...testSettings(databaseUrl, redisUrl),
      SMTP_URL: sink.smtpUrl,
      // This header gives every test client its own address.
      TRUSTED_PROXIES: '127.0.0.1',
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(httpPort),
      OPS_PORT: String(opsPort),
      ...settings,
    },
    isReady: () => isReady(opsUrl),
  });
  return {
    name,
    url: `http://127.0.0.1:${httpPort}/api/v1`,
    opsUrl,
    pid: entry.process.pid,
    isAlive: () => isRunning(entry.process),
    logLines: () => readFileSync(logFile, 'utf8').trimEnd().split('\n'),
    stop: () => endAndRemove(entry),
  };
}

export async function isReady(opsUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${opsUrl}/health/ready`, { signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
