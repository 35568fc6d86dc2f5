import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inDev, root } from '../../../../tools/dev/paths.ts';
import { politeThenKill } from '../../../../tools/dev/process-identity.ts';
import { capture } from '../../../../tools/dev/run-command.ts';
import { redisAnswers } from '../../../../tools/dev/services/redis.ts';
import {
  engineCommand,
  engineHome,
  engineUser,
  prepareEngineFolder,
} from '../../../../tools/dev/voice/engine.ts';
import { requirePrompts } from '../../../../tools/dev/voice/prompts.ts';
import { requireRootfs } from '../../../../tools/dev/voice/rootfs.ts';
import { clockEnvironment } from './host-clock.ts';
import type { Host, HostService } from './host-network.ts';
import { loadCredentials, readEnvironment, readUnit } from './unit.ts';

/**
 * The services of one host, started from the files that the inventory wrote to its folder. Our own are started from
 * `sources`, which is this checkout or an earlier release.
 */
const healthy = join(root, 'deploy/containers/bin/healthy');
const isHealthy = async (...args: string[]): Promise<boolean> =>
  (await capture(healthy, args)).exitCode === 0;

const service = (
  folder: string,
  name: string,
  command: string[],
  more: Pick<HostService, 'isReady'> & Partial<HostService>,
): HostService => {
  const [program = '', ...args] = command;
  return {
    name,
    command: program,
    args,
    commandIncludes: args.at(-1) ?? program,
    logFile: join(folder, `var/log/${name}.log`),
    cwd: folder,
    ending: politeThenKill,
    restarts: true,
    ...more,
  };
};

/** HAProxy of a load balancer. */
export const haproxy = ({ address }: Host, folder: string): HostService =>
  haproxyService(folder, () => isHealthy('http', address, '8404', '/'));

/** HAProxy of a media node. */
export const nodeHaproxy = (_host: Host, folder: string): HostService =>
  haproxyService(folder, async () => true);

/** Starts HAProxy as Debian's unit does. */
function haproxyService(folder: string, isReady: () => Promise<boolean>): HostService {
  const { CONFIG = '', EXTRAOPTS = '' } = readEnvironment(join(folder, 'etc/default/haproxy'));
  const further = EXTRAOPTS.replaceAll('"', '').split(' ');
  return service(folder, 'haproxy', ['/usr/sbin/haproxy', '-db', '-f', CONFIG, ...further], { isReady });
}

export const redis = ({ address }: Host, folder: string): HostService => {
  mkdirSync(join(folder, 'var/lib/redis'), { recursive: true });
  const file = join(folder, 'etc/redis/redis.conf');
  return service(folder, 'redis', ['/usr/bin/redis-server', file, '--set-proc-title', 'no'], {
    commandIncludes: file,
    isReady: () => redisAnswers(6379, address),
  });
};

export function keepalived(_host: Host, folder: string): HostService {
  const pids = ['--pid', '--vrrp_pid'].flatMap((option) => [
    option,
    join(folder, `run/keepalived${option}.pid`),
  ]);
  mkdirSync(join(folder, 'run'), { recursive: true });
  const file = join(folder, 'etc/keepalived/keepalived.conf');
  const options = ['--dont-fork', '--log-console', ...pids, '--use-file', file];
  return service(folder, 'keepalived', ['/usr/sbin/keepalived', ...options], { isReady: async () => true });
}

export function relay({ publicAddress }: { publicAddress: string }, folder: string): HostService {
  mkdirSync(join(folder, 'var/lib/disca-relay/run'), { recursive: true });
  const file = join(folder, 'etc/turnserver.conf');
  return service(folder, 'relay', ['/usr/bin/turnserver', '-c', file], {
    isReady: () => relayResponds(publicAddress),
  });
}

/** Returns whether the relay at this address responds to STUN requests. */
export const relayResponds = (address: string): Promise<boolean> => isHealthy('stun', address, '3478');

/** Runs a program of ours to its end. */
export async function runOnce(
  host: Host,
  program: 'prepare',
  folder: string,
  { sources = root, settings = {} }: { sources?: string; settings?: Record<string, string> } = {},
): Promise<void> {
  const { command, env } = nodeProgram(program, folder, sources);
  const assignments = Object.entries({ ...env, ...settings }).map(([name, value]) => `${name}=${value}`);
  await host.run('env', `--chdir=${sources}`, ...assignments, ...command);
}

export type ProgramName = 'api' | 'worker' | 'voice' | 'shipper';

/** A program of ours, as its unit starts it. */
export function program({ address }: Host, name: ProgramName, folder: string, sources = root): HostService {
  const { command, env } = nodeProgram(name, folder, sources);
  return service(folder, name, command, {
    env,
    cwd: sources,
    isReady: () => isHealthy('http', address, env.OPS_PORT ?? '', '/health/ready'),
  });
}

function nodeProgram(
  name: string,
  folder: string,
  sources: string,
): { command: string[]; env: Record<string, string> } {
  const unit = readUnit(`disca-${name}`, folder, sources);
  const env = loadCredentials(unit, { folder: join(folder, `run/credentials/${name}`) });
  const [node = '', entry = ''] = unit.command;
  return {
    command: [node, join(sources, entry)],
    env: { ...env, NODE_COMPILE_CACHE: inDev('compile-cache') },
  };
}

/** The edge, in its root file system. */
export const edge = (host: Host, folder: string, publicAddress: string, sources = root): HostService =>
  engine(
    host,
    'edge',
    { folder, sources },
    {
      isReady: () => isHealthy('sip', publicAddress, '5060'),
      // Children of a killed leader keep serving.
      ending: [
        { signal: 'SIGTERM', waitMs: 10_000 },
        { signal: 'SIGKILL', waitMs: 5_000, wholeGroup: true },
      ],
    },
  );

/** The media node, in its root file system. */
export function media(host: Host, folder: string, sources = root): HostService {
  cpSync(requirePrompts(), join(folder, 'var/lib/disca-media/prompts'), { recursive: true });
  const password = readFileSync(join(folder, 'etc/disca/secrets/ari_password'), 'utf8').trim();
  const ping = ['http', '127.0.0.1', '8088', `/ari/asterisk/ping?api_key=node:${password}`];
  return engine(
    host,
    'media',
    { folder, sources },
    {
      isReady: () =>
        host.run(healthy, ...ping).then(
          () => true,
          () => false,
        ),
    },
  );
}

function engine(
  { clockFolder }: Host,
  name: 'edge' | 'media',
  { folder, sources }: { folder: string; sources: string },
  more: Pick<HostService, 'isReady'> & Partial<HostService>,
): HostService {
  const unit = readUnit(`disca-${name}`, folder, sources);
  const dir = join(folder, `var/lib/disca-${name}`);
  const rootfs = requireRootfs();
  const clockAt = `${engineHome}/clock`;
  const clock = clockFolder
    ? Object.entries(clockEnvironment(clockAt)).map(([key, value]) => `${key}=${value}`)
    : [];
  const mounts = unit.mounts.filter(({ to }) => to !== engineHome);
  if (clockFolder) mounts.push({ from: clockFolder, to: clockAt }, { from: '/dev/shm', to: '/dev/shm' });
  for (const { to } of mounts) if (to !== clockAt) mkdirSync(join(rootfs, to), { recursive: true });
  const launched = {
    rootfs,
    dir,
    command: ['env', ...clock, ...unit.command],
    niceness: unit.niceness,
    mounts,
  };
  const logFile = join(dir, 'log/messages');
  prepareEngineFolder(launched, ['etc', 'run', 'log', 'clock'], logFile);
  const { command, args } = engineCommand(launched);
  const env = loadCredentials(unit, {
    folder: join(dir, 'credentials'),
    seenAt: `${engineHome}/credentials`,
    uid: engineUser,
  });
  return service(folder, name, [command, ...args], {
    // The commands of the start script replace each other; all of their paths contain it.
    commandIncludes: 'disca',
    logFile,
    cwd: dir,
    loadsClock: true,
    env,
    ...more,
  });
}
