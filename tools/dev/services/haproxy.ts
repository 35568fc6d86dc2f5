import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { root } from '../paths.ts';
import { politeThenKill } from '../process-identity.ts';
import { endAndRemove } from '../process-records.ts';
import { UserError } from '../user-error.ts';
import { fillTemplate } from '../voice/render.ts';
import { startService } from './service.ts';

/** A process behind the load balancer, and its health check address. */
export interface Balanced {
  port: number;
  opsPort: number;
}

export interface HaproxyOptions {
  name: string;
  dir: string;
  apiPort: number;
  /** PEM file with a certificate and its key, to terminate TLS. */
  certificateFile?: string;
  voicePort: number;
  apis: [Balanced, Balanced];
  voices: [Balanced, Balanced];
}

const folder = join(root, 'deploy/haproxy');
const local = (port: number): string => `127.0.0.1:${port}`;
const answerTimeoutMs = 10_000;

/** Starts the load balancer of deploy/haproxy on this machine. */
export async function startHaproxy(options: HaproxyOptions): Promise<{ stop(): Promise<void> }> {
  return await run({
    ...options,
    templates: ['haproxy.cfg.in', 'voice.cfg.in'],
    port: options.apiPort,
    values: valuesOf(options),
  });
}

/** Starts the load balancer of a media node for its connections to one voice process, over TLS. */
export async function startNodeHaproxy(options: {
  name: string;
  dir: string;
  listenPort: number;
  voice: Balanced;
  /** PEM files: the certificate of the node with its key, and the authority. */
  certificateFile: string;
  authorityFile: string;
}): Promise<{ stop(): Promise<void> }> {
  const { listenPort, voice, certificateFile, authorityFile } = options;
  const servers = ['VOICE_1', 'VOICE_2'].flatMap((name): [string, string | number][] => [
    [name, local(voice.port)],
    [`${name}_OPS_ADDRESS`, '127.0.0.1'],
    [`${name}_OPS_PORT`, voice.opsPort],
  ]);
  const values = {
    ...Object.fromEntries(servers),
    VOICE_LISTEN: local(listenPort),
    VOICE_TLS: voiceTls(certificateFile, authorityFile),
  };
  return await run({ ...options, templates: ['media.cfg.in', 'voice.cfg.in'], port: listenPort, values });
}

/** Returns the options of HAProxy for connections of a media node to voice. */
export const voiceTls = (certificateFile: string, authorityFile: string): string =>
  `ssl crt ${certificateFile} ca-file ${authorityFile} verify required verifyhost voice`;

/** Starts the load balancer of PostgreSQL: port 6432 of this address leads to the primary of three hosts. */
export async function startDatabaseBalancer(options: {
  name: string;
  dir: string;
  address: string;
  hosts: [string, string, string];
}): Promise<{ port: number; stop(): Promise<void> }> {
  const { address, hosts } = options;
  const port = 6432;
  const values = {
    POSTGRES_LISTEN: `${address}:${port}`,
    DATABASE_1: hosts[0],
    DATABASE_2: hosts[1],
    DATABASE_3: hosts[2],
  };
  return { port, ...(await run({ ...options, templates: ['database.cfg.in'], port, values })) };
}

async function run(options: {
  name: string;
  dir: string;
  templates: string[];
  values: Record<string, string | number>;
  address?: string;
  port: number;
}): Promise<{ stop(): Promise<void> }> {
  const command = findHaproxy();
  if (!command) throw new UserError('HAProxy is not installed. Run ./dev setup --tests.');
  const { dir, templates, address = '127.0.0.1', port } = options;
  mkdirSync(dir, { recursive: true });
  const files = templates.map((template) => {
    const file = join(dir, template.replace(/\.in$/, ''));
    writeFileSync(file, fillTemplate(readFileSync(join(folder, template), 'utf8'), options.values));
    return file;
  });
  const [file = ''] = files;
  const entry = await startService({
    name: options.name,
    command,
    args: ['-db', ...files.flatMap((each) => ['-f', each])],
    commandIncludes: file,
    logFile: `${file}.log`,
    cwd: dir,
    ending: politeThenKill,
    outlives: false,
    isReady: () => takesConnections(address, port),
  });
  return { stop: () => endAndRemove(entry) };
}

/** Finds the program, which Debian installs in a folder that is only in root's PATH. */
export function findHaproxy(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, 'haproxy')).find((path) => existsSync(path));
}

function valuesOf({
  apiPort,
  certificateFile,
  voicePort,
  apis,
  voices,
}: HaproxyOptions): Record<string, string | number> {
  const named = { API_1: apis[0], API_2: apis[1], VOICE_1: voices[0], VOICE_2: voices[1] };
  const servers = Object.entries(named).flatMap(([name, { port, opsPort }]): [string, string | number][] => [
    [name, local(port)],
    [`${name}_OPS_ADDRESS`, '127.0.0.1'],
    [`${name}_OPS_PORT`, opsPort],
  ]);
  const tls = certificateFile ? ` ssl crt ${certificateFile}` : '';
  return {
    API_LISTEN: local(apiPort) + tls,
    VOICE_LISTEN: local(voicePort),
    VOICE_TLS: '',
    ...Object.fromEntries(servers),
  };
}

function takesConnections(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, address);
    const settle = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.setTimeout(answerTimeoutMs, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
