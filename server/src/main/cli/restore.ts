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
  throw new InvalidArgumentError('It is a moment such as 2026-12-01T03:00:00Z, or latest.');
}

function whole(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1 on.');
  return Number(text);
}

export function restoreCommands(): Command {
  const restore = withJson(
    new Command('restore')
      .description('bring the cluster back as it was at a moment, into an empty data directory, and check it')
      .addOption(new Option('--from <dir>', 'the folder of backups').env('BACKUP_DIR'))
      .option('--data <dir>', "PostgreSQL's data directory: empty, or not there")
      .option(
        '--to <moment>',
        'such as 2026-12-01T03:00:00Z; latest is as far as the log goes',
        moment,
        'latest',
      )
      .option('--backup <id>', 'from this backup; the last one before the moment unless given')
      .option(
        '--timeline <number>',
        'of the log, where there were restores before; the newest unless given',
        whole,
      )
      .option('--start-command <command>', 'starts PostgreSQL; without one you are asked to')
      .option('--wait <seconds>', 'how long PostgreSQL may take', whole, 3_600)
      .option('--rehearse', 'to try it: what is restored never writes into the archive')
      .option('--force', 'end open calls even while the service runs on it')
      .option('--no-verify', 'do not read the backup against its checksums first'),
  )
    .enablePositionalOptions()
    .action(runRestore);
  restore.addCommand(finishCommand());
  return restore;
}

/** For a database that somebody else restored, such as a provider: only what comes after. */
const finishCommand = (): Command =>
  withJson(
    new Command('finish')
      .description(
        'after a restore by other means: close calls that were open, take in recordings, audit everything; safe to repeat',
      )
      .option('--force', 'even while the service runs on it: every call is ended'),
  ).action(async ({ json, force }: { json?: boolean; force?: boolean }) => {
    await asOperator(async (operator) => {
      if (!force) await refuseServed(operator);
      const finished = await finishRestore(operator, createProgress(json));
      tell({ json: json ?? false }, finished, reportOf(finished));
      if (faultsOf(finished).length > 0) process.exitCode = 1;
    });
  });

async function runRestore(options: Options): Promise<void> {
  const { from, data, json } = options;
  if (!from || !data)
    throw new Error('Say from where and to where: disca restore --from DIR --data DIR --to MOMENT');
  const { DATABASE_OWNER_URL: url } = withFiles(process.env, ['DATABASE_OWNER_URL']);
  if (!url)
    throw new Error('DATABASE_OWNER_URL is not set: it names the role that owns the restored database.');
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
    patienceMs: options.wait * 1000,
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
    tell(
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

const tell = (options: { json: boolean }, value: Finished, text: string): void =>
  answer(options, value, text);

async function chooseBackup(folder: string, to: Date | undefined, id: string | undefined): Promise<Backup> {
  if (id !== undefined || to === undefined) return await findBackup(folder, id);
  const { whole: backups } = await listBackups(folder);
  const found = backups.findLast(({ finishedAt }) => new Date(finishedAt) <= to);
  if (found) return found;
  const [oldest] = backups;
  if (!oldest) return await findBackup(folder);
  throw new Error(
    `No backup is older than ${to.toISOString()}: the first was finished at ${oldest.finishedAt}.`,
  );
}

/** Answers the timeline that leads there, or says why nothing does. */
async function refuseShortLog(
  folder: string,
  backup: Backup,
  { to, timeline }: { to: Date | undefined; timeline?: number },
  progress: (text: string) => void,
): Promise<number> {
  const { chain, reachesTo } = await verifyLog(folder, backup, {
    timeline,
    onProgress: (done, all) => progress(`reading the log, ${done} of ${all}`),
  });
  const isDoubtful = timeline === undefined;
  if (isDoubtful && !chain.missing) await refuseDoubt(folder, backup);
  const until = reachesTo?.toISOString() ?? `${backup.finishedAt}, the end of the backup`;
  if (to === undefined ? chain.missing !== undefined : reachesTo === undefined || reachesTo < to) {
    throw new Error(
      chain.missing
        ? `The log has a gap: ${chain.missing} is missing from the archive. It leads to ${until} and no further. Find the file, or restore with --to up to that moment.`
        : `The log in the archive leads to ${until} and not to ${to?.toISOString()}. Restore with --to latest to have all of it.`,
    );
  }
  // With a gap that comes after the moment.
  if (isDoubtful && chain.missing) await refuseDoubt(folder, backup);
  return chain.timeline;
}

/** After a restore there are two futures. Where the newer one is not the later one, such as after a rehearsal, nobody knows which is meant. */
async function refuseDoubt(folder: string, backup: Backup): Promise<void> {
  const timelines = await timelinesAfter(folder, backup);
  const newest = timelines.at(-1);
  if (newest === undefined || timelines.length === 1) return;
  const ends = new Map<number, Date>();
  for (const each of timelines)
    ends.set(each, (await endOfLog(folder, backup, each)) ?? new Date(backup.finishedAt));
  const [latest] = [...ends].toSorted(([, a], [, b]) => b.getTime() - a.getTime());
  if (!latest || latest[1] <= (ends.get(newest) ?? latest[1])) return;
  const told = [...ends].map(([number, end]) => `${number} leads to ${end.toISOString()}`).join(', ');
  throw new Error(
    `The log goes on from ${backup.id} on more than one timeline, and the newest is not the one that leads furthest: ${told}. Say which is yours with --timeline.`,
  );
}

async function start({ startCommand, data }: Options): Promise<void> {
  if (!startCommand) {
    process.stderr.write(`${data} is ready. Start PostgreSQL on it now; this waits for it.\n`);
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
