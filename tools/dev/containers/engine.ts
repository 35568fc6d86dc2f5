import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { endAndRemove } from '../process-records.ts';
import { type CommandOptions, type CommandResult, capture } from '../run-command.ts';
import { startService } from '../services/service.ts';
import { UserError } from '../user-error.ts';
import { cachedAt, makeOnce } from '../voice/cache.ts';
import { engineName, findOtherEngine, restoreNetworkState, saveNetworkState } from './traces.ts';

/** A private container engine, unpacked from Debian packages without installing them. */
export interface ContainerEngine {
  /** Environment for programs that use this engine. */
  readonly env: Record<string, string>;
  docker(args: string[], options?: CommandOptions): Promise<CommandResult>;
  /** Like `docker`, but throws unless the command succeeds; returns its output. */
  must(args: string[], options?: CommandOptions): Promise<string>;
  /** Stops every container and restores the machine's network; images are kept for the next run. */
  stop(): Promise<void>;
}

const recipe = { version: 1, packages: ['docker.io', 'containerd', 'tini'] };
const programsFolder = (): string => cachedAt('container-engine', recipe);
const dataFolder = (): string => cachedAt('container-images', recipe);
const answerTimeoutMs = 1_000;
const keptForBuilds = '4GB';

export async function startContainerEngine(): Promise<ContainerEngine> {
  await makeOnce(programsFolder(), unpackPrograms);
  await restoreNetworkState();
  const other = findOtherEngine();
  if (other) throw new UserError(`The private engine cannot be started: ${other}.`);
  await saveNetworkState();
  // A short path, because the length of socket paths is limited.
  const running = mkdtempSync(join(tmpdir(), 'disca-engine-'));
  const socket = join(running, 'docker.sock');
  const bin = ['usr/bin', 'usr/sbin'].map((folder) => join(programsFolder(), folder));
  const env = {
    PATH: [...bin, process.env.PATH, '/usr/sbin'].join(delimiter),
    DOCKER_HOST: `unix://${socket}`,
    DOCKER_BUILDKIT: '1',
    DOCKER_CONFIG: join(running, 'config'),
  };
  mkdirSync(dataFolder(), { recursive: true });
  const entry = await startService({
    name: engineName,
    command: 'dockerd',
    args: [
      ...['--data-root', dataFolder(), '--exec-root', join(running, 'exec')],
      // This file prevents a second engine from starting: concurrent engines would corrupt each other's images.
      ...[
        '--pidfile',
        join(dataFolder(), 'engine.pid'),
        '--host',
        env.DOCKER_HOST,
        '--oom-score-adjust',
        '0',
      ],
      ...['--log-level', 'warn'],
    ],
    commandIncludes: socket,
    logFile: join(running, 'engine.log'),
    cwd: running,
    ending: [
      { signal: 'SIGTERM', waitMs: 60_000 },
      { signal: 'SIGKILL', waitMs: 5_000 },
    ],
    env,
    outlives: false,
    isReady: () => answersPing(socket),
  });
  const docker = (args: string[], options: CommandOptions = {}): Promise<CommandResult> =>
    capture('docker', args, { ...options, env: { ...env, ...options.env } });
  const must = async (args: string[], options?: CommandOptions): Promise<string> => {
    const result = await docker(args, options);
    if (result.exitCode !== 0)
      throw new UserError(`docker ${args.join(' ')} failed:\n${result.output.slice(-4_000)}`);
    return result.output.trim();
  };
  await removeContainers(must);
  return {
    env,
    docker,
    must,
    async stop() {
      await removeContainers(must);
      await must(['image', 'prune', '--force']);
      await must(['builder', 'prune', '--force', '--keep-storage', keptForBuilds]);
      await endAndRemove(entry);
      await restoreNetworkState();
      await removeWithMounts(running);
    },
  };
}

/** Removes all containers, including those of an interrupted run, which would restart with the engine. */
async function removeContainers(must: ContainerEngine['must']): Promise<void> {
  const ids = (await must(['ps', '--all', '--quiet'])).split('\n').filter(Boolean);
  if (ids.length > 0) await must(['rm', '--force', '--volumes', ...ids]);
  await must(['network', 'prune', '--force']);
  await must(['volume', 'prune', '--force']);
}

/** Unmounts first: an engine leaves the host network namespace mounted in its folder. */
async function removeWithMounts(folder: string): Promise<void> {
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  for (const mount of mounts.filter((each) => each.startsWith(`${folder}/`)).toReversed())
    await capture('umount', ['--lazy', mount]);
  rmSync(folder, { recursive: true, force: true });
}

async function unpackPrograms(folder: string): Promise<void> {
  const downloads = join(folder, 'downloads');
  mkdirSync(downloads);
  const result = await capture('apt-get', ['download', '--quiet=2', ...recipe.packages], { cwd: downloads });
  if (result.exitCode !== 0)
    throw new UserError(`The container engine cannot be downloaded:\n${result.output}`);
  for (const name of readdirSync(downloads)) await capture('dpkg', ['-x', join(downloads, name), folder]);
  rmSync(downloads, { recursive: true });
  if (!existsSync(join(folder, 'usr/sbin/dockerd')))
    throw new UserError('The packages contain no container engine.');
}

function answersPing(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ socketPath: socket, path: '/_ping', timeout: answerTimeoutMs }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.once('error', () => resolve(false));
    asked.once('timeout', () => asked.destroy());
    asked.end();
  });
}
