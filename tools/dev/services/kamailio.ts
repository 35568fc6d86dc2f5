import { createSocket } from 'node:dgram';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type EndingStep, endProcess, isRunning } from '../process-identity.ts';
import { endAndRemove, type ProcessRecord } from '../process-records.ts';
import { engineCommand, engineHome, prepareEngineFolder } from '../voice/engine.ts';
import { renderFolder, type TemplateValues } from '../voice/render.ts';
import { requireRootfs } from '../voice/rootfs.ts';
import type { EngineStopMode } from './asterisk.ts';
import { ExitedError, type RunningService, startService } from './service.ts';

export interface KamailioOptions {
  name: string;
  /** Folder of the engine, mounted as /srv/disca. */
  dir: string;
  /** Folder of configuration templates. */
  templates: string;
  values: TemplateValues;
  /** Address where it responds to OPTIONS. */
  listens: { address: string; port: number };
  /** Whether the configuration opens `run/control.sock`. Default: true. */
  hasControlSocket?: boolean;
  outlives?: boolean;
}

export interface RunningKamailio extends RunningService {
  readonly dir: string;
  isAlive(): boolean;
  stop(mode?: EngineStopMode): Promise<void>;
  /** Also starts an engine that has been killed. Addresses and files stay the same. */
  restart(mode?: EngineStopMode): Promise<void>;
}

// Ends the whole process group: children of a killed leader keep responding and hold the port.
const endings: Record<EngineStopMode, EndingStep[]> = {
  stop: [
    { signal: 'SIGTERM', waitMs: 10_000 },
    { signal: 'SIGKILL', waitMs: 5_000, wholeGroup: true },
  ],
  kill: [{ signal: 'SIGKILL', waitMs: 5_000, wholeGroup: true }],
};

const answerTimeoutMs = 1_000;
const mostStarts = 3;
const sharedMemoryMegabytes = 256;
const privateMemoryMegabytes = 8;

export async function startKamailio(options: KamailioOptions): Promise<RunningKamailio> {
  renderFolder(options.templates, join(options.dir, 'etc'), options.values);
  let entry = await startSupervised(options);

  return {
    url: `sip:${options.listens.address}:${options.listens.port}`,
    dir: options.dir,
    isAlive: () => isRunning(entry.process),
    get pid() {
      return entry.process.pid;
    },
    stop: (mode = 'stop') => endAndRemove(entry, endings[mode]),
    async restart(mode = 'stop') {
      await endProcess(entry.process, endings[mode]);
      entry = await startSupervised(options);
    },
  };
}

/** Starts it again if it exits, as its systemd unit does: it exits if connecting to the database takes more than 2 s. */
async function startSupervised(options: KamailioOptions): Promise<ProcessRecord> {
  for (let starts = 1; ; starts += 1) {
    try {
      return await startEngine(options);
    } catch (error) {
      if (!(error instanceof ExitedError) || starts === mostStarts) throw error;
    }
  }
}

function startEngine(options: KamailioOptions): Promise<ProcessRecord> {
  const configFile = `${engineHome}/etc/kamailio.cfg`;
  const memory = ['-m', String(sharedMemoryMegabytes), '-M', String(privateMemoryMegabytes)];
  const program = {
    rootfs: requireRootfs(),
    dir: options.dir,
    command: ['/usr/sbin/kamailio', '-DD', '-E', ...memory, '-Y', `${engineHome}/run`, '-f', configFile],
  };
  const logFile = join(options.dir, 'log/messages');
  rmSync(join(options.dir, 'run'), { recursive: true, force: true });
  prepareEngineFolder(program, ['etc', 'run', 'log'], logFile);
  return startService({
    name: options.name,
    ...engineCommand(program),
    commandIncludes: configFile,
    logFile,
    cwd: options.dir,
    ending: endings.stop,
    outlives: options.outlives ?? false,
    isReady: async () => isControllable(options) && (await answersOptions(options.listens)),
  });
}

/** Its first process responds before the one that opens the control socket has started. */
const isControllable = ({ hasControlSocket = true, dir }: KamailioOptions): boolean =>
  !hasControlSocket || existsSync(join(dir, 'run/control.sock'));

function answersOptions({ address, port }: KamailioOptions['listens']): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const settle = (ready: boolean): void => {
      clearTimeout(timer);
      socket.close();
      resolve(ready);
    };
    const timer = setTimeout(settle, answerTimeoutMs, false);
    socket.once('error', () => settle(false));
    socket.once('message', (answer) => settle(answer.toString('latin1').startsWith('SIP/2.0 2')));
    // A connected socket, so that a closed port is reported immediately.
    socket.connect(port, address, () => socket.send(optionsRequest(address, port, socket.address().port)));
  });
}

function optionsRequest(address: string, port: number, ownPort: number): string {
  const tag = Math.random().toString(36).slice(2);
  return [
    `OPTIONS sip:${address}:${port} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${ownPort};branch=z9hG4bK${tag}`,
    'Max-Forwards: 1',
    `From: <sip:probe@127.0.0.1>;tag=${tag}`,
    `To: <sip:${address}:${port}>`,
    `Call-ID: ${tag}@127.0.0.1`,
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
}
