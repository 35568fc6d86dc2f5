import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from '../paths.ts';
import { capture } from '../run-command.ts';
import { UserError } from '../user-error.ts';
import { cachedAt, makeOnce } from '../voice/cache.ts';
import { requireRootfs } from '../voice/rootfs.ts';
import type { ContainerEngine } from './engine.ts';

/**
 * Substitutes for the public base images, built from Debian packages on this machine. They contain this machine's
 * package sources and certificates, so they are only for building and testing and must not be published.
 */
const stable = {
  version: 1,
  suite: 'bookworm',
  variant: 'minbase',
  packages: ['ca-certificates'],
  options: [
    'force-unsafe-io',
    'path-exclude=/usr/share/man/*',
    'path-exclude=/usr/share/locale/*',
    'path-exclude=/usr/share/doc/*',
    'path-include=/usr/share/doc/*/copyright',
  ],
};

const names = { stable: 'debian:bookworm-slim', engines: 'debian:sid-slim', node: nodeImage() };

/** Builds the stable base. Can run before the engine starts; takes half a minute the first time. */
export const makeStableBase = (): Promise<void> =>
  makeOnce(stableFolder(), async (folder) => {
    const options = stable.options.map((option) => `--dpkgopt=${option}`);
    const result = await capture('mmdebstrap', [
      ...['--quiet', `--variant=${stable.variant}`, '--aptopt=APT::Install-Recommends "false"', ...options],
      // Keep the package lists, so that builds need not fetch them again.
      ...['--skip=cleanup/apt/lists', `--include=${stable.packages.join(',')}`],
      ...[stable.suite, join(folder, 'base.tar'), ...debianSources()],
    ]);
    if (result.exitCode !== 0) throw new UserError(`mmdebstrap failed:\n${result.output.trimEnd()}`);
  });

export async function importBases(engine: ContainerEngine): Promise<void> {
  await importOnce(engine, names.stable, stableFolder(), join(stableFolder(), 'base.tar'));
  const rootfs = requireRootfs();
  const tar = join(mkdtempSync(join(tmpdir(), 'disca-base-')), 'base.tar');
  await importOnce(engine, names.engines, rootfs, tar, async () => {
    const result = await capture('tar', ['-C', rootfs, '-cf', tar, '.']);
    if (result.exitCode !== 0) throw new UserError(result.output);
  });
  rmSync(join(tar, '..'), { recursive: true });
  await buildNodeBase(engine);
}

/** Returns this machine's apt source files for Debian. */
function debianSources(): string[] {
  const files = ['/etc/apt/sources.list', ...globSync('/etc/apt/sources.list.d/*.{list,sources}')];
  return files.filter((file) => existsSync(file) && /\/debian/.test(readFileSync(file, 'utf8')));
}

const stableFolder = (): string => cachedAt('container-base', stable);

/** Returns the base image name used in the Dockerfiles. */
function nodeImage(): string {
  const text = readFileSync(join(root, 'deploy/containers/server.Dockerfile'), 'utf8');
  return /^ARG NODE_IMAGE=(\S+)/m.exec(text)?.[1] ?? 'node';
}

async function importOnce(
  engine: ContainerEngine,
  name: string,
  source: string,
  tar: string,
  make?: () => Promise<void>,
): Promise<void> {
  const label = createHash('sha256').update(source).digest('hex').slice(0, 16);
  const inspected = await engine.docker([
    'image',
    'inspect',
    '--format',
    '{{index .Config.Labels "disca.base"}}',
    name,
  ]);
  if (inspected.exitCode === 0 && inspected.output.trim() === label) return;
  await make?.();
  await engine.must(['import', '--change', `LABEL disca.base=${label}`, tar, name]);
}

/** Installs this machine's Node and npm at the paths of the public image. */
async function buildNodeBase(engine: ContainerEngine): Promise<void> {
  const context = mkdtempSync(join(tmpdir(), 'disca-node-'));
  const npm = await lastLine('bash', ['-c', 'readlink -f "$(command -v npm)"']);
  const registry = await lastLine('npm', ['config', 'get', 'registry', '--loglevel=silent']);
  mkdirSync(join(context, 'bin'));
  cpSync(process.execPath, join(context, 'bin/node'), { dereference: true });
  cpSync(resolve(npm, '../..'), join(context, 'npm'), { recursive: true, dereference: true });
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(context, 'ca-certificates.crt'), { dereference: true });
  writeFileSync(join(context, 'npmrc'), `registry=${registry}\n`);
  const dockerfile = `FROM ${names.stable}
COPY bin /usr/local/bin
COPY npm /usr/local/lib/node_modules/npm
COPY npmrc /usr/local/etc/npmrc
COPY ca-certificates.crt /etc/ssl/certs/
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
`;
  writeFileSync(join(context, 'Dockerfile'), dockerfile);
  await engine.must(['build', '--quiet', '--tag', names.node, context]);
  rmSync(context, { recursive: true });
}

const lastLine = async (command: string, args: string[]): Promise<string> =>
  (await capture(command, args)).output.trim().split('\n').at(-1) ?? '';
