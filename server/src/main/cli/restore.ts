import { exec } from 'node:child_process';
import { Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import {
  awaitPromotion,
  type Backup,
  clearRecoverySettings,
  endOfLog,
  giveToServer,
  listBackups,
  prepareData,
  refuseRunning,
  refuseUsedFolder,
  timelinesAfter,
  verifyFiles,
  verifyLog,
} from '../../adapters/postgres/index.ts';
import { withFiles } from '../settings-from-files.ts';
import { findBackup } from './backup.ts';
import { answer, asOperator, withJson } from './operator.ts';
import { createProgress } from './progress.ts';
import { type Finished, faultsOf, finishRestore, refuseServed, reportOf } from './restore-finish.ts';

interface Options {
  from?: string;
  data?: string;
  to: Date | 'latest';
  backup?: string;
  timeline?: number;
  startCommand?: string;
  wait: number;
  verify: boolean;
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
      .addOption(new Option('--from <dir>', 'backup folder').env('BACKUP_DIR'))
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
      .option('--force', 'end open calls even while the service runs on the database')
      .option('--no-verify', 'do not verify the checksums of the backup first'),
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
    await asOperator(async (operator) => {
      if (!force) await refuseServed(operator);
      const finished = await finishRestore(operator, createProgress(json));
      print({ json: json ?? false }, finished, reportOf(finished));
      if (faultsOf(finished).length > 0) process.exitCode = 1;
    });
  });

async function runRestore(options: Options): Promise<void> {
  const { from, data, json } = options;
  if (!from || !data)
    throw new Error('Give source, target and time: disca restore --from DIR --data DIR --to MOMENT');
  const { DATABASE_OWNER_URL: url } = withFiles(process.env, ['DATABASE_OWNER_URL']);
  if (!url)
    throw new Error('DATABASE_OWNER_URL is not set. Set it to the role that owns the restored database.');
  const progress = createProgress(json);
  const stopwatch = createStopwatch();
  await refuseUsedFolder(data);
  const to = options.to === 'latest' ? undefined : options.to;
  const backup = await chooseBackup(from, to, options.backup);
  if (options.verify) await verifyFiles(from, backup);
  const timeline = await refuseShortLog(from, backup, { ...options, to }, progress);
  stopwatch.lap('verify');
  await refuseRunning(url);
  await prepareData({ folder: from, backup, data, to, timeline, rehearse: options.rehearse ?? false });
  await giveToServer(data, from);
  stopwatch.lap('copy');
  const preparedAt = new Date();
  await start(options);
  const promoted = await awaitPromotion({
    url,
    data,
    systemIdentifier: backup.systemIdentifier,
    oldTimeline: timeline,
    preparedAt,
    timeoutMs: options.wait * 1000,
    onProgress: progress,
  });
  await clearRecoverySettings(data);
  stopwatch.lap('recover');
  await asOperator(async (operator) => {
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

async function chooseBackup(folder: string, to: Date | undefined, id: string | undefined): Promise<Backup> {
  if (id !== undefined || to === undefined) return await findBackup(folder, id);
  const { whole: backups } = await listBackups(folder);
  const newest = backups.findLast(({ finishedAt }) => new Date(finishedAt) <= to);
  if (newest) return newest;
  const [oldest] = backups;
  if (!oldest) return await findBackup(folder);
  throw new Error(
    `No backup is older than ${to.toISOString()}: the first was finished at ${oldest.finishedAt}.`,
  );
}

/** Returns the timeline that reaches the requested time, or throws with the reason. */
async function refuseShortLog(
  folder: string,
  backup: Backup,
  { to, timeline }: { to: Date | undefined; timeline?: number },
  progress: (text: string) => void,
): Promise<number> {
  const { chain, reachesTo } = await verifyLog(folder, backup, {
    timeline,
    onProgress: (done, all) => progress(`reading WAL segment ${done} of ${all}`),
  });
  const isDoubtful = timeline === undefined;
  if (isDoubtful && !chain.missing) await refuseDoubt(folder, backup);
  const until = reachesTo?.toISOString() ?? `${backup.finishedAt}, the end of the backup`;
  if (to === undefined ? chain.missing !== undefined : reachesTo === undefined || reachesTo < to) {
    throw new Error(
      chain.missing
        ? `The WAL has a gap: ${chain.missing} is missing from the archive. It can be replayed up to ${until}. Find the file, or restore with --to up to that time.`
        : `The WAL in the archive ends at ${until}, before ${to?.toISOString()}. Restore with --to latest to replay all of it.`,
    );
  }
  // The gap is after the requested time, so it does not matter here.
  if (isDoubtful && chain.missing) await refuseDoubt(folder, backup);
  return chain.timeline;
}

/**
 * Refuses to choose between timelines. After a restore there are two; if the newest is not the longest, such as after a
 * rehearsal, the operator must choose.
 */
async function refuseDoubt(folder: string, backup: Backup): Promise<void> {
  const timelines = await timelinesAfter(folder, backup);
  const newest = timelines.at(-1);
  if (newest === undefined || timelines.length === 1) return;
  const ends = new Map<number, Date>();
  for (const each of timelines)
    ends.set(each, (await endOfLog(folder, backup, each)) ?? new Date(backup.finishedAt));
  const [latest] = [...ends].toSorted(([, a], [, b]) => b.getTime() - a.getTime());
  if (!latest || latest[1] <= (ends.get(newest) ?? latest[1])) return;
  const timelineEnds = [...ends].map(([number, end]) => `${number} ends at ${end.toISOString()}`).join(', ');
  throw new Error(
    `The WAL continues from ${backup.id} on more than one timeline, and the newest is not the longest: ${timelineEnds}. Choose one with --timeline.`,
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
