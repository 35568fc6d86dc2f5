import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from '../run-command.ts';
import { UserError } from '../user-error.ts';
import { debianArchive } from './apt-source.ts';
import { cachedAt, makeOnce } from './cache.ts';

/** Debian 12 has no Asterisk, so the engines run from a root file system of a newer suite. */
const recipe = {
  suite: 'sid',
  variant: 'apt',
  packages: [
    'asterisk',
    'asterisk-modules',
    'asterisk-config',
    'kamailio',
    'kamailio-postgres-modules',
    'kamailio-websocket-modules',
    'kamailio-tls-modules',
    'ca-certificates',
  ],
  leftOut: ['/usr/share/man/*', '/usr/share/doc/*', '/usr/share/locale/*', '/usr/share/info/*'],
  // Kept, because licences must accompany the engines.
  kept: ['/usr/share/doc/*/copyright'],
  homes: ['/srv/disca'],
};

const manifestFile = 'disca-packages.txt';

export const rootfsFolder = (): string => cachedAt('voice', recipe);

export const rootfsIsThere = (): boolean => existsSync(rootfsFolder());

export function requireRootfs(): string {
  if (!rootfsIsThere()) throw new UserError('The voice engines are missing. Run ./dev setup.');
  return rootfsFolder();
}

export function buildRootfs(): Promise<void> {
  return makeOnce(rootfsFolder(), async (folder) => {
    await bootstrap(folder);
    // The temporary folder is private; the engines' users must be able to enter it.
    chmodSync(folder, 0o755);
    for (const home of recipe.homes) mkdirSync(join(folder, home), { recursive: true });
    await writeManifest(folder);
  });
}

async function bootstrap(folder: string): Promise<void> {
  const options = [
    '--quiet',
    `--variant=${recipe.variant}`,
    '--aptopt=Acquire::Check-Valid-Until "false"',
    '--aptopt=APT::Install-Recommends "false"',
    ...recipe.leftOut.map((pattern) => `--dpkgopt=path-exclude=${pattern}`),
    ...recipe.kept.map((pattern) => `--dpkgopt=path-include=${pattern}`),
    `--include=${recipe.packages.join(',')}`,
  ];
  const source = `deb ${debianArchive()} ${recipe.suite} main`;
  const result = await capture('mmdebstrap', [...options, recipe.suite, folder, source]);
  if (result.exitCode !== 0) throw new UserError(`mmdebstrap failed:\n${result.output.trimEnd()}`);
}

/** Records the installed versions, because the suite changes over time. */
async function writeManifest(folder: string): Promise<void> {
  const admin = `--admindir=${join(folder, 'var/lib/dpkg')}`;
  const result = await capture('dpkg-query', [admin, '--show']);
  if (result.exitCode !== 0) throw new UserError(`The package versions cannot be read:\n${result.output}`);
  writeFileSync(join(folder, manifestFile), result.output);
}

/** Returns for example `Asterisk 22.10.1, Kamailio 6.1.5`, without Debian revisions. */
export function engineVersions(): string {
  const manifest = readFileSync(join(requireRootfs(), manifestFile), 'utf8');
  const versionOf = (name: string): string =>
    new RegExp(`^${name}\\s+(?:\\d+:)?([\\d.]+)`, 'm').exec(manifest)?.[1] ?? '';
  return `Asterisk ${versionOf('asterisk')}, Kamailio ${versionOf('kamailio')}`;
}
