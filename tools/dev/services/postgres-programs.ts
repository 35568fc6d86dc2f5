import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isMissing } from '../files.ts';
import { UserError } from '../user-error.ts';

export interface PostgresUser {
  uid: number;
  gid: number;
}

const debianHome = '/usr/lib/postgresql';
const oldestVersion = 15;

/** Returns the folder of the server programs, which Debian does not add to PATH. */
export function findPostgresPrograms(): string | undefined {
  const debian = versionsIn(debianHome)
    .filter((version) => version >= oldestVersion)
    .toSorted((a, b) => a - b)
    .map((version) => join(debianHome, String(version), 'bin'));
  const inPath = (process.env.PATH ?? '').split(delimiter);
  return [...debian, ...inPath].find((folder) => existsSync(join(folder, 'initdb')));
}

export function postgresProgram(name: string): string {
  const folder = findPostgresPrograms();
  if (!folder) throw new UserError('PostgreSQL is not installed. Run ./dev setup.');
  return join(folder, name);
}

function versionsIn(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/**
 * Returns the user that runs PostgreSQL for root: the one its package created, because PostgreSQL refuses to run as
 * root.
 */
export function postgresUser(): PostgresUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) {
    throw new UserError('PostgreSQL does not run as root and there is no user postgres. Run ./dev setup.');
  }
  return { uid: Number(uid), gid: Number(gid) };
}

/** Returns the folder, or one under /var/tmp if the user postgres cannot enter the checkout (such as under /root). */
export function accessibleFolder(wanted: string, user: PostgresUser | undefined): string {
  mkdirSync(wanted, { recursive: true, mode: 0o755 });
  if (!user) return wanted;
  const allowed = spawnSync('test', ['-x', wanted], { ...user, cwd: '/' }).status === 0;
  const folder = allowed ? wanted : substituteFolder(wanted);
  if (!allowed) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const owner = statSync(folder).uid;
  if (owner !== 0 && owner !== user.uid) throw new UserError(`${folder} belongs to another user. Remove it.`);
  chownSync(folder, user.uid, user.gid);
  return folder;
}

export function substituteFolder(wanted: string): string {
  return join('/var/tmp', `disca-${createHash('sha256').update(wanted).digest('hex').slice(0, 16)}`);
}
