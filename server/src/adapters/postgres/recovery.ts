import { spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import {
  appendFile,
  chown,
  cp,
  lchown,
  mkdir,
  readdir,
  readFile,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { archiveOf } from './archive-segment.ts';
import { type Backup, dataPath, namesIn } from './backup-folder.ts';
import { megabytes } from './create-backup.ts';

export interface Recovery {
  folder: string;
  backup: Backup;
  /** The new data directory; must be empty or missing. */
  data: string;
  /** Target time; absent for the end of the WAL. */
  to: Date | undefined;
  timeline: number;
  /** True for a test restore, which must not write to the real archive. */
  rehearse: boolean;
}

const begin = '# disca restore: begin';
const end = '# disca restore: end';
const settingsOf = (data: string): string => join(data, 'postgresql.auto.conf');

export async function refuseUsedFolder(data: string): Promise<void> {
  const names = await namesIn(data);
  if (names.length > 0) {
    throw new Error(
      `${data} is not empty. A restore never overwrites a cluster: stop PostgreSQL, move the old folder away, and run this again.`,
    );
  }
}

/** Copies the backup to the data directory and writes the recovery settings. */
export async function prepareData(recovery: Recovery): Promise<void> {
  const { folder, backup, data, to, timeline, rehearse } = recovery;
  await refuseUsedFolder(data);
  await mkdir(data, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(data);
  if (bavail * bsize < backup.bytes)
    throw new Error(
      `${data} has ${megabytes(bavail * bsize)} free, and the backup needs ${megabytes(backup.bytes)}.`,
    );
  await cp(dataPath(folder, backup.id), data, {
    recursive: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
  });
  const command = `gzip -dc ${shellQuoted(resolve(archiveOf(folder)))}/%f.gz > %p`;
  const lines = [
    begin,
    `restore_command = ${quoted(command)}`,
    `recovery_target_timeline = '${timeline}'`,
    "recovery_target_action = 'promote'",
    ...(to ? [`recovery_target_time = '${asWritten(to)}'`] : []),
    end,
    ...(rehearse ? ["archive_mode = 'off'"] : []),
  ];
  await appendFile(settingsOf(data), `${lines.join('\n')}\n`);
  await writeFile(join(data, 'recovery.signal'), '');
}

/** Formats a time for this setting, in which PostgreSQL accepts only numeric time zones. */
const asWritten = (moment: Date): string => moment.toISOString().replace('T', ' ').replace('Z', '+00');

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
/** Quotes a path for a shell command in which PostgreSQL expands %p and %f; every other % must be doubled. */
const shellQuoted = (path: string): string => `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`;

/** Removes the settings after the restore, so that a later recovery does not use them. */
export async function clearRecoverySettings(data: string): Promise<void> {
  const text = await readFile(settingsOf(data), 'utf8');
  const [before = '', rest] = text.split(`${begin}\n`);
  if (rest === undefined) return;
  await writeFile(settingsOf(data), `${before}${rest.split(`${end}\n`)[1] ?? ''}`);
}

interface User {
  uid: number;
  gid: number;
}

/**
 * As root, changes the owner of the data directory to the owner of the parent folder, or to postgres: the server
 * requires it.
 */
export async function giveToServer(data: string, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const user = await serverUser(data);
  const archive = archiveOf(resolve(folder));
  const [segment = ''] = (await namesIn(archive)).filter((name) => name.endsWith('.gz'));
  const mayRead =
    spawnSync('test', ['-x', archive, '-a', '-r', join(archive, segment)], { ...user, cwd: '/' }).status ===
    0;
  if (!mayRead) {
    throw new Error(
      `The user that runs PostgreSQL (uid ${user.uid}) cannot read ${archive}. Change its owner with chown -R.`,
    );
  }
  await giveAll(data, user);
}

async function serverUser(data: string): Promise<User> {
  const around = await stat(dirname(resolve(data)));
  if (around.uid !== 0) return { uid: around.uid, gid: around.gid };
  const line = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error('PostgreSQL does not run as root, and there is no user postgres to own the cluster.');
  return { uid: Number(uid), gid: Number(gid) };
}

async function giveAll(path: string, { uid, gid }: User): Promise<void> {
  await chown(path, uid, gid);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) await giveAll(inner, { uid, gid });
    else await lchown(inner, uid, gid);
  }
}
