import { chownSync, cpSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../tools/dev/paths.ts';

/** A unit of deploy/systemd as it applies to one host, with the drop-ins of that host. */
export interface Unit {
  command: string[];
  /** Of `Environment`; the environment file has precedence. `%d` is the folder of the credentials. */
  environment: Record<string, string>;
  fileEnvironment: Record<string, string>;
  /** Files of the host, by name. */
  credentials: Record<string, string>;
  /** Folders of the host and of the checkout that the program sees in its own root file system. */
  mounts: { from: string; to: string }[];
  niceness: number;
}

/**
 * Reads a unit. Paths of a machine are below `folder`, and /opt/disca is `sources`. What limits the rights and resources
 * of the program is not applied.
 */
export function readUnit(name: string, folder: string, sources = root): Unit {
  const unit = join(sources, `deploy/systemd/${name}.service`);
  const dropIns = globSync(join(folder, `etc/systemd/system/${name}.service.d/*.conf`)).toSorted();
  const lines = [unit, ...dropIns].flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  const here = (path: string): string =>
    path.startsWith('/opt/disca/') ? path.replace('/opt/disca', sources) : join(folder, path);
  const all = (key: string): string[] => valuesOf(lines, key);
  const [environmentFile] = all('EnvironmentFile');
  const words = (all('ExecStart').at(-1) ?? '').split(' ');
  const bound = [...all('BindReadOnlyPaths'), ...all('BindPaths')].flatMap((line) => line.split(' '));
  return {
    command: words.map((word) => (word.startsWith('/opt/disca/') ? here(word) : word)),
    environment: Object.fromEntries(
      all('Environment')
        .flatMap((line) => line.split(' ').map(assignment))
        .map(([key, value]) => [key, value.startsWith('/var/lib/') ? here(value) : value]),
    ),
    fileEnvironment: environmentFile ? readEnvironment(here(environmentFile)) : {},
    credentials: Object.fromEntries(
      all('LoadCredential').map((line) => {
        const [credential = '', path = ''] = line.split(':');
        return [credential, here(path)];
      }),
    ),
    mounts: bound
      .map((item) => item.split(':'))
      .flatMap(([from = '', to]) => (to === undefined ? [] : [{ from: here(from), to }])),
    niceness: Number(all('Nice').at(-1) ?? 0),
  };
}

/** Returns the values of a key; an empty value discards those before it, as in systemd. */
function valuesOf(lines: string[], key: string): string[] {
  const values = lines
    .filter((line) => line.startsWith(`${key}=`))
    .map((line) => line.slice(key.length + 1).trim());
  return values.slice(values.lastIndexOf('') + 1);
}

const assignment = (text: string): [string, string] => {
  const end = text.indexOf('=');
  return [text.slice(0, end), text.slice(end + 1)];
};

/** Returns the settings of an environment file. */
export function readEnvironment(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n');
  return Object.fromEntries(lines.filter((line) => /^[A-Z]\w*=/.test(line)).map(assignment));
}

/** Copies the credentials of a unit to a folder, and returns its environment if the program sees them at `seenAt`. */
export function loadCredentials(
  unit: Unit,
  { folder, seenAt = folder, uid = 0 }: { folder: string; seenAt?: string; uid?: number },
): Record<string, string> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chownSync(folder, uid, uid);
  for (const [name, path] of Object.entries(unit.credentials)) {
    cpSync(path, join(folder, name));
    chownSync(join(folder, name), uid, uid);
  }
  const own = Object.entries(unit.environment).map(([name, value]) => [name, value.replace('%d', seenAt)]);
  return { ...Object.fromEntries(own), ...unit.fileEnvironment };
}
