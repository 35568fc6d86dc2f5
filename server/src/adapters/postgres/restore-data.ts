import { chown, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackupEnvironment, runOrThrow, serverUser } from './pgbackrest.ts';
import { withServer } from './with-server.ts';

export interface RestoredData {
  backupId: string;
  /** The new data directory; must be empty or missing. */
  data: string;
  /** Target time; absent for the end of the WAL. */
  to: Date | undefined;
  timeline: number;
  /** True for a test restore, which must not write to the archive. */
  isRehearsal: boolean;
}

export async function refuseUsedFolder(data: string): Promise<void> {
  const names = await readdir(data).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length > 0) {
    throw new Error(
      `${data} is not empty. A restore never overwrites a cluster: stop PostgreSQL, move the old folder away, and run this again.`,
    );
  }
}

/** Restores the files of a backup. PostgreSQL replays the WAL up to the target when it starts. */
export async function restoreData(
  env: BackupEnvironment,
  { backupId, data, to, timeline, isRehearsal }: RestoredData,
): Promise<void> {
  await refuseUsedFolder(data);
  await mkdir(data, { recursive: true, mode: 0o700 });
  const user = serverUser();
  if (user) await chown(data, user.uid, user.gid);
  await runOrThrow(env, [
    'restore',
    `--pg1-path=${data}`,
    `--set=${backupId}`,
    `--target-timeline=${timeline}`,
    ...(to ? ['--type=time', `--target=${asTarget(to)}`, '--target-action=promote'] : ['--type=default']),
    ...(isRehearsal ? ['--archive-mode=off'] : []),
  ]);
}

/** Formats a time for PostgreSQL, which accepts only numeric time zones here. */
const asTarget = (moment: Date): string => moment.toISOString().replace('T', ' ').replace('Z', '+00');

/** Reads the identifier of the cluster from the start of its control file. */
export async function systemIdentifierOf(data: string): Promise<string> {
  const file = await open(join(data, 'global', 'pg_control'));
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0);
    return String(buffer.readBigUInt64LE());
  } finally {
    await file.close();
  }
}

const recoverySettings = [
  'restore_command',
  'recovery_target_time',
  'recovery_target_action',
  'recovery_target_timeline',
];

/** Removes the settings of the restore, so that the cluster does not use them when it becomes a standby. */
export async function clearRecoverySettings(url: string): Promise<void> {
  await withServer(url, async (client) => {
    for (const name of recoverySettings) await client.query(`alter system reset ${name}`);
    await client.query('select pg_reload_conf()');
  });
}
