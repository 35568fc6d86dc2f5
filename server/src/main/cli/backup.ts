import { Command, InvalidArgumentError, Option } from 'commander';
import { archiveSegment } from '../../adapters/postgres/archive-segment.ts';
import {
  type Backup,
  createBackup,
  followLog,
  listBackups,
  megabytes,
  retainBackups,
  verifyFiles,
  verifyLog,
} from '../../adapters/postgres/index.ts';
import { withFiles } from '../settings-from-files.ts';
import { answer, withJson } from './operator.ts';
import { createProgress } from './progress.ts';

type Json = { json?: boolean };

const folderOption = (flags: string): Option =>
  new Option(flags, 'backup folder').env('BACKUP_DIR').makeOptionMandatory();

function count(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Expected a whole number of 1 or more.');
  return Number(text);
}

export function backupCommands(): Command {
  const backup = new Command('backup').description('base backups of the database, and its WAL');
  backup.addCommand(createCommand(), { isDefault: true });
  backup.addCommand(listCommand());
  backup.addCommand(verifyCommand());
  backup
    .command('archive-wal')
    .description("archive one WAL segment: archive_command = 'disca backup archive-wal %p %f --to DIR'")
    .argument('<path>', '%p')
    .argument('<file>', '%f')
    .addOption(folderOption('--to <dir>'))
    .action(async (path: string, file: string, { to }: { to: string }) => {
      await archiveSegment(to, path, file);
    });
  return backup;
}

/** Returns the URL of a role that may copy the cluster; by default the database owner's. */
function clusterUrl(): string {
  const set = withFiles(process.env, ['BACKUP_DATABASE_URL', 'DATABASE_OWNER_URL']);
  const url = set.BACKUP_DATABASE_URL ?? set.DATABASE_OWNER_URL;
  if (!url) throw new Error('Set BACKUP_DATABASE_URL to a role with REPLICATION, or DATABASE_OWNER_URL.');
  return url;
}

const createCommand = (): Command =>
  withJson(
    new Command('create')
      .description('take a base backup of the running cluster and remove expired backups')
      .addOption(folderOption('--to <dir>'))
      .option('--keep <number>', 'number of backups to keep, with the WAL they need', count, 7),
  ).action(async ({ to, keep, json }: Json & { to: string; keep: number }) => {
    const progress = createProgress(json);
    const startedMs = Date.now();
    const { backup, warnings } = await createBackup({
      url: clusterUrl(),
      folder: to,
      onProgress: (text) => progress(`copying ${/\d+%/.exec(text)?.[0] ?? ''}`),
    });
    const removed = await retainBackups(to, keep);
    const seconds = (Date.now() - startedMs) / 1000;
    for (const warning of warnings) process.stderr.write(`${warning}\n`);
    answer(
      { json: json ?? false },
      { ...backup, seconds, warnings, removed },
      [
        `${backup.id}: ${megabytes(backup.bytes)} in ${backup.files} files, ${seconds.toFixed(1)} s.`,
        ...(removed.backups.length > 0
          ? [`Removed ${removed.backups.join(', ')} and ${removed.segments} WAL segments.`]
          : []),
      ].join('\n'),
    );
  });

const listCommand = (): Command =>
  withJson(
    new Command('list')
      .description('list the backups, oldest first, with the WAL available after each')
      .addOption(folderOption('--from <dir>')),
  ).action(async ({ from, json }: Json & { from: string }) => {
    const { whole, torn } = await listBackups(from);
    const backups = await Promise.all(
      whole.map(async (backup) => {
        const { segments, missing } = await followLog(from, backup);
        return { ...backup, segments: segments.length, missing: missing ?? null };
      }),
    );
    const lines = [
      ...backups.map((each) =>
        [
          each.id.padEnd(18),
          megabytes(each.bytes).padStart(12),
          `PostgreSQL ${each.postgresMajor}`,
          `${each.segments} WAL segments follow${each.missing ? `, then ${each.missing} is missing` : ''}`,
        ].join('  '),
      ),
      ...torn.map((id) => `${id.padEnd(18)}  incomplete: it cannot be restored`),
    ];
    answer(
      { json: json ?? false },
      { backups, torn },
      lines.join('\n') || `No backups in ${from}. Create one with: disca backup`,
    );
  });

const verifyCommand = (): Command =>
  withJson(
    new Command('verify')
      .description('verify a backup and its WAL against their checksums; exits 1 on an error')
      .argument('[id]', 'default: the newest')
      .addOption(folderOption('--from <dir>')),
  ).action(async (id: string | undefined, { from, json }: Json & { from: string }) => {
    const backup = await findBackup(from, id);
    const progress = createProgress(json);
    progress(`reading the files of ${backup.id}`);
    await verifyFiles(from, backup);
    const { chain, reachesTo } = await verifyLog(from, backup, {
      onProgress: (done, all) => progress(`reading WAL segment ${done} of ${all}`),
    });
    const until = reachesTo?.toISOString() ?? null;
    const text = [
      `${backup.id} is complete. It can be restored to any time from ${backup.finishedAt} to ${until ?? 'its own end'}.`,
      ...(chain.missing ? [`Later times cannot be restored: WAL segment ${chain.missing} is missing.`] : []),
    ];
    answer(
      { json: json ?? false },
      { id: backup.id, from: backup.finishedAt, until, missing: chain.missing ?? null },
      text.join('\n'),
    );
    if (chain.missing) process.exitCode = 1;
  });

/** Returns the newest backup or the named one. Incomplete backups are skipped. */
export async function findBackup(folder: string, id?: string): Promise<Backup> {
  const { whole, torn } = await listBackups(folder);
  const chosen = id === undefined ? whole.at(-1) : whole.find((backup) => backup.id === id);
  if (chosen) return chosen;
  const names = torn.filter((each) => id === undefined || each.startsWith(id));
  throw new Error(
    names.length > 0
      ? `The backup ${names.join(', ')} is incomplete and cannot be restored.`
      : `${folder} has no ${id === undefined ? 'backup' : `backup ${id}`}. See: disca backup list`,
  );
}
