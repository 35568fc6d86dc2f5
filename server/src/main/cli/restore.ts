import { exec } from 'node:child_process';
import { Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import {
  awaitPromotion,
  type Backup,
  type BackupEnvironment,
  clearRecoverySettings,
  followWal,
  readArchivedWal,
  refuseRunning,
  refuseUsedFolder,
  restoreData,
  systemIdentifierOf,
} from '../../adapters/postgres/index.ts';
import { withFiles } from '../settings-from-files.ts';
import { usableRepository } from './backup.ts';
import { backupEnvironment } from './backup-environment.ts';
import { answer, asOwner, withJson } from './operator.ts';
import { createProgress } from './progress.ts';
import { type Finished, faultsOf, finishRestore, refuseServed, reportOf } from './restore-finish.ts';

interface Options {
  data?: string;
  to: Date | 'latest';
  backup?: string;
  timeline?: number;
  startCommand?: string;
  wait: number;
  rehearse?: boolean;
  force?: boolean;
  json?: boolean;
}

function moment(text: string): Date | 'latest' {
  if (text === 'latest') return text;
  const parsed = z.iso.datetime({ offset: true }).safeParse(text);
  if (parsed.success) return new Date(parsed.data);
  throw new InvalidArgumentError('Expected a time such as 2026-12-01T03:00:00Z, or latest.');
}

function whole(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('Expected a whole number of 1 or more.');
  return Number(text);
}

export function restoreCommands(): Command {
  const restore = withJson(
    new Command('restore')
      .description('restore the cluster to a point in time, into an empty data directory, and check it')
      .option('--data <dir>', "PostgreSQL's data directory: empty or missing")
      .option(
        '--to <moment>',
        'such as 2026-12-01T03:00:00Z; latest replays all available WAL',
        moment,
        'latest',
      )
      .option('--backup <id>', 'backup to restore; default: the last one before the time')
      .option(
        '--timeline <number>',
        'WAL timeline, if the cluster was restored before; default: the newest',
        whole,
      )
      .option(
        '--start-command <command>',
        'command that starts PostgreSQL; without it you are asked to start it',
      )
      .option('--wait <seconds>', 'how long PostgreSQL may take', whole, 3_600)
      .option('--rehearse', 'rehearsal: the restored cluster never writes into the archive')
      .option('--force', 'end open calls even while the service runs on the database'),
  )
    .enablePositionalOptions()
    .action(runRestore);
  restore.addCommand(finishCommand());
  return restore;
}

/** Runs only the steps after the restore, for a database restored by other means, such as by a provider. */
const finishCommand = (): Command =>
  withJson(
    new Command('finish')
      .description(
        'after a restore by other means: end open calls, register recordings, audit everything; safe to repeat',
      )
      .option('--force', 'run even while the service uses the database; ends all open calls'),
  ).action(async ({ json, force }: { json?: boolean; force?: boolean }) => {
    await asOwner(async (operator) => {
      if (!force) await refuseServed(operator);
      const finished = await finishRestore(operator, createProgress(json));
      print({ json: json ?? false }, finished, reportOf(finished));
      if (faultsOf(finished).length > 0) process.exitCode = 1;
    });
  });

async function runRestore(options: Options): Promise<void> {
  const { data, json } = options;
  if (!data) throw new Error('Give target and time: disca restore --data DIR --to MOMENT');
  const { DATABASE_OWNER_URL: url } = withFiles(process.env, ['DATABASE_OWNER_URL']);
  if (!url)
    throw new Error('DATABASE_OWNER_URL is not set. Set it to the role that owns the restored database.');
  const env = backupEnvironment(process.env);
  const progress = createProgress(json);
  const stopwatch = createStopwatch();
  await refuseUsedFolder(data);
  const to = options.to === 'latest' ? undefined : options.to;
  const { backup, timeline } = await choose(env, to, options);
  await refuseRunning(url);
  progress(`restoring ${backup.id}`);
  await restoreData(env, { backupId: backup.id, data, to, timeline, isRehearsal: options.rehearse ?? false });
  stopwatch.lap('copy');
  const preparedAt = new Date();
  await start(options);
  const promoted = await awaitPromotion({
    url,
    data,
    systemIdentifier: await systemIdentifierOf(data),
    oldTimeline: timeline,
    preparedAt,
    timeoutMs: options.wait * 1000,
    onProgress: progress,
  });
  await clearRecoverySettings(url);
  stopwatch.lap('recover');
  await asOwner(async (operator) => {
    if (!options.force) await refuseServed(operator);
    const finished = await finishRestore(operator, progress, promoted.lastCommitAt ?? undefined);
    stopwatch.lap('check');
    const seconds = stopwatch.seconds();
    const value = { backup: backup.id, ...promoted, seconds, ...finished };
    print(
      { json: json ?? false },
      value,
      [
        `Restored from ${backup.id} until ${promoted.lastCommitAt?.toISOString() ?? 'its end'}, on timeline ${promoted.timeline}.`,
        reportOf(finished),
        `Took ${Object.entries(seconds)
          .map(([name, taken]) => `${name} ${taken.toFixed(1)} s`)
          .join(', ')}.`,
      ].join('\n'),
    );
    if (faultsOf(finished).length > 0) process.exitCode = 1;
  });
}

const print = (options: { json: boolean }, value: Finished, text: string): void =>
  answer(options, value, text);

/** Chooses a backup and a timeline that reach the requested time, or throws with the reason. */
async function choose(
  env: BackupEnvironment,
  to: Date | undefined,
  asked: Pick<Options, 'backup' | 'timeline'>,
): Promise<{ backup: Backup; timeline: number }> {
  const { backups, archiveId } = await usableRepository(env);
  const backup = chooseBackup(backups, to, asked.backup);
  if (archiveId === undefined) throw new Error('The repository has no WAL, which every restore needs.');
  const wal = await readArchivedWal(env, archiveId);
  const { timeline, last, missing } = followWal(wal, backup.firstSegment, asked.timeline);
  const until = last?.archivedAt ?? new Date(backup.finishedAt);
  if (to === undefined ? missing !== undefined : until < to) {
    throw new Error(
      missing
        ? `The WAL has a gap: ${missing} is missing from the repository. It can be replayed up to ${until.toISOString()}. Find the file, or restore with --to up to that time.`
        : `The WAL in the repository ends at ${until.toISOString()}, before ${to?.toISOString()}. Restore with --to latest to replay all of it.`,
    );
  }
  return { backup, timeline };
}

function chooseBackup(backups: Backup[], to: Date | undefined, id: string | undefined): Backup {
  const isChosen = (backup: Backup): boolean =>
    id === undefined ? to === undefined || new Date(backup.finishedAt) < to : backup.id === id;
  const newest = backups.findLast(isChosen);
  if (newest) return newest;
  const [oldest] = backups;
  if (id !== undefined || !oldest || !to)
    throw new Error(
      `The repository has no ${id === undefined ? 'backup' : `backup ${id}`}. See: disca backup list`,
    );
  throw new Error(
    `No backup is older than ${to.toISOString()}: the first was finished at ${oldest.finishedAt}.`,
  );
}

async function start({ startCommand, data }: Options): Promise<void> {
  if (!startCommand) {
    process.stderr.write(`${data} is ready. Start PostgreSQL on it now; waiting for it.\n`);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    exec(startCommand, (error, out, err) => {
      if (error)
        reject(new Error(`PostgreSQL could not be started: ${(err || out || error.message).trim()}`));
      else resolve();
    });
  });
}

function createStopwatch() {
  const startedMs = Date.now();
  let lapMs = startedMs;
  const laps: Record<string, number> = {};
  return {
    lap(name: string): void {
      laps[name] = (Date.now() - lapMs) / 1000;
      lapMs = Date.now();
    },
    seconds: (): Record<string, number> => ({ ...laps, total: (Date.now() - startedMs) / 1000 }),
  };
}
