import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../ports.ts';
import { type EndingStep, endProcess } from '../process-identity.ts';
import { endAndRemove, type ProcessRecord } from '../process-records.ts';
import { engineCommand, engineHome, prepareEngineFolder } from '../voice/engine.ts';
import { requirePrompts } from '../voice/prompts.ts';
import { renderFolder, type TemplateValues } from '../voice/render.ts';
import { requireRootfs } from '../voice/rootfs.ts';
import { type RunningService, startService } from './service.ts';

export interface AsteriskOptions {
  name: string;
  /** Folder of the engine, mounted as /srv/disca. */
  dir: string;
  /** Folder of configuration templates. */
  templates: string;
  values: TemplateValues;
  ari: { user: string; password: string; port?: number };
  outlives?: boolean;
  /** With a namespace, the caller must forward the control port to it. */
  networkNamespace?: string | undefined;
}

export type EngineStopMode = 'stop' | 'kill';

export interface RunningAsterisk extends RunningService {
  readonly dir: string;
  readonly ariPort: number;
  stop(mode?: EngineStopMode): Promise<void>;
  /** Also starts an engine that has been killed. Addresses and files stay the same. */
  restart(mode?: EngineStopMode): Promise<void>;
}

const endings: Record<EngineStopMode, EndingStep[]> = {
  stop: [
    { signal: 'SIGTERM', waitMs: 10_000 },
    { signal: 'SIGKILL', waitMs: 5_000 },
  ],
  kill: [{ signal: 'SIGKILL', waitMs: 5_000 }],
};

const folders = ['etc', 'lib', 'run', 'spool', 'log/cdr-custom', 'recordings', 'prompts', 'music'];
/** As in deploy/systemd/disca-media.service: audio has to be sent every 20 ms. */
const mediaNiceness = -10;
const answerTimeoutMs = 10_000;

export async function startAsterisk(options: AsteriskOptions): Promise<RunningAsterisk> {
  const ariPort = options.ari.port ?? (await freePort());
  const values = { ...options.values, ARI_PORT: ariPort, ARI_PASSWORD: options.ari.password };
  renderFolder(options.templates, join(options.dir, 'etc'), values);
  cpSync(requirePrompts(), join(options.dir, 'prompts'), { recursive: true });
  const start = (): Promise<ProcessRecord> => startEngine(options, ariPort);
  let entry = await start();

  return {
    url: `http://127.0.0.1:${ariPort}/ari`,
    dir: options.dir,
    ariPort,
    get pid() {
      return entry.process.pid;
    },
    stop: (mode = 'stop') => endAndRemove(entry, endings[mode]),
    async restart(mode = 'stop') {
      await endProcess(entry.process, endings[mode]);
      entry = await start();
    },
  };
}

function startEngine(options: AsteriskOptions, ariPort: number): Promise<ProcessRecord> {
  const program = {
    rootfs: requireRootfs(),
    dir: options.dir,
    command: ['/usr/sbin/asterisk', '-f', '-C', `${engineHome}/etc/asterisk.conf`],
    niceness: mediaNiceness,
    networkNamespace: options.networkNamespace,
  };
  const logFile = join(options.dir, 'log/messages');
  prepareEngineFolder(program, folders, logFile);
  return startService({
    name: options.name,
    ...engineCommand(program),
    commandIncludes: `${engineHome}/etc/asterisk.conf`,
    logFile,
    cwd: options.dir,
    ending: endings.stop,
    outlives: options.outlives ?? false,
    isReady: () => hasBooted(options, ariPort),
  });
}

/** Returns whether Asterisk has booted. Its HTTP server responds early, with 503 until all modules are loaded. */
async function hasBooted({ ari }: AsteriskOptions, ariPort: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${ariPort}/ari/asterisk/ping`, {
      headers: { authorization: `Basic ${btoa(`${ari.user}:${ari.password}`)}` },
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
