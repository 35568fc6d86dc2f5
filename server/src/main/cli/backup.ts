import { setTimeout } from 'node:timers/promises';
import { Command, Option } from 'commander';
import {
  type Backup,
  type BackupEnvironment,
  followWal,
  type PgbackrestResult,
  type Replayable,
  type Repository,
  readArchivedWal,
  readRepository,
  runOrThrow,
  runPgbackrest,
} from '../../adapters/postgres/index.ts';
import { backupEnvironment } from './backup-environment.ts';
import { answer, withJson } from './operator.ts';
import { createProgress } from './progress.ts';

type Json = { json?: boolean };

/** An incremental backup needs its full backup and all in between; a new full backup starts after this time. */
const fullEveryMs = 7 * 24 * 3600 * 1000;
/** Exit codes of pgBackRest: it finds no primary; another of its processes holds the lock. */
const noPrimary = 56;
const locked = 50;
/** How long to wait for the lock, and the pause between two attempts. */
const lockedMs = 30_000;
const lockedPauseMs = 200;

export function backupCommands(): Command {
  const backup = new Command('backup').description('backups of the database, made with pgBackRest');
  backup.addCommand(createCommand(), { isDefault: true });
  backup.addCommand(listCommand());
  backup.addCommand(verifyCommand());
  return backup;
}

const createCommand = (): Command =>
  withJson(
    new Command('create')
      .description('back up the running cluster and remove expired backups')
      .addOption(
        new Option('--type <type>', 'full or incr; default: full if the last full one is a week old').choices(
          ['full', 'incr'],
        ),
      ),
  ).action(async ({ type, json }: Json & { type?: Backup['type'] }) => {
    const env = backupEnvironment(process.env);
    const progress = createProgress(json);
    const startedMs = Date.now();
    const repository = await usableRepository(env);
    if (!repository.hasStanza && !(await createStanza(env))) return;
    const chosen = type ?? dueType(repository.backups);
    progress(`making a backup, type ${chosen}`);
    if (!ranOnPrimary('backup', await runPgbackrest(env, ['backup', `--type=${chosen}`]))) return;
    const made = (await readRepository(env)).backups.at(-1);
    if (!made) throw new Error('pgBackRest reports no backup.');
    const seconds = (Date.now() - startedMs) / 1000;
    answer({ json: json ?? false }, { ...made, seconds }, `${describe(made)}, ${seconds.toFixed(1)} s.`);
    if (made.hasErrors) {
      process.stderr.write(
        `${made.id} has pages with wrong checksums: the disk of PostgreSQL is damaged. The log of pgBackRest lists them.\n`,
      );
      process.exitCode = 1;
    }
  });

/** Creates the stanza. Until it exists, PostgreSQL's attempts to archive fail, but hold the lock for a short time. */
async function createStanza(env: BackupEnvironment): Promise<boolean> {
  const command = 'stanza-create';
  const startedMs = Date.now();
  let result = await runPgbackrest(env, [command]);
  while (result.exitCode === locked && Date.now() - startedMs < lockedMs) {
    await setTimeout(lockedPauseMs);
    result = await runPgbackrest(env, [command]);
  }
  return ranOnPrimary(command, result);
}

/** Returns false if the command needed the primary and did nothing, because PostgreSQL is a standby. */
function ranOnPrimary(command: string, { exitCode, messages }: PgbackrestResult): boolean {
  if (exitCode === 0) return true;
  if (exitCode !== noPrimary || messages.includes('unable to check'))
    throw new Error(`pgBackRest ${command} failed: ${messages}`);
  process.stderr.write('PostgreSQL is a standby here. The backup is made on the machine of the primary.\n');
  return false;
}

function dueType(backups: Backup[]): Backup['type'] {
  const full = backups.findLast(({ type }) => type === 'full');
  return full && Date.now() - Date.parse(full.startedAt) < fullEveryMs ? 'incr' : 'full';
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000).toLocaleString('en')} MB`;

const describe = ({ id, type, bytes, storedBytes }: Backup): string =>
  `${id}: ${type}, database ${megabytes(bytes)}, stored ${megabytes(storedBytes)}`;

const listCommand = (): Command =>
  withJson(
    new Command('list').description('list the backups, oldest first, and the times they can be restored to'),
  ).action(async ({ json }: Json) => {
    const env = backupEnvironment(process.env);
    const repository = await usableRepository(env);
    const backups = await withWal(env, repository);
    const lines = backups.map(
      ({ until, missing, ...backup }) =>
        `${describe(backup)}; ${backup.finishedAt} to ${until ?? 'its end'}${missing ? `, then ${missing} is missing` : ''}`,
    );
    answer(
      { json: json ?? false },
      { backups },
      lines.join('\n') || 'No backups yet. Create one with: disca backup',
    );
  });

/** Adds to each backup until when its WAL is archived, and the first missing segment. */
async function withWal(env: BackupEnvironment, { backups, archiveId }: Repository) {
  const wal = archiveId === undefined ? undefined : await readArchivedWal(env, archiveId);
  return backups.map((backup) => {
    const found: Partial<Replayable> = wal ? followWal(wal, backup.firstSegment) : {};
    return {
      ...backup,
      until: found.last?.archivedAt.toISOString() ?? null,
      missing: found.missing ?? null,
    };
  });
}

const verifyCommand = (): Command =>
  withJson(
    new Command('verify').description(
      'verify the checksums of all backups and WAL segments, and that no segment is missing; exits 1 on an error',
    ),
  ).action(async ({ json }: Json) => {
    const env = backupEnvironment(process.env);
    const repository = await usableRepository(env);
    const [oldest] = repository.backups;
    if (!oldest) throw new Error('There are no backups yet. Create one with: disca backup');
    const progress = createProgress(json);
    progress('reading all backups and WAL segments');
    // pgBackRest exits with 0 and reports damage as its status.
    const report = await runOrThrow(env, ['verify', '--output=text', '--verbose']);
    const isIntact = /^status: ok$/m.test(report);
    const backups = await withWal(env, repository);
    const gaps = new Set(backups.map(({ missing }) => missing).filter((missing) => missing !== null));
    const until = backups.at(-1)?.until ?? null;
    const text = [
      ...(isIntact ? [] : [report.trim()]),
      ...[...gaps].map((missing) => `WAL segment ${missing} is missing: later times cannot be restored.`),
      ...(isIntact && gaps.size === 0
        ? [
            `All backups are complete: ${backups.length}. Any time from ${oldest.finishedAt} to ${until ?? 'the end of the last one'} can be restored.`,
          ]
        : []),
    ];
    answer(
      { json: json ?? false },
      { isIntact, from: oldest.finishedAt, until, missing: [...gaps], report },
      text.join('\n'),
    );
    if (!isIntact || gaps.size > 0) process.exitCode = 1;
  });

/** Throws if the repository cannot be read, such as with a wrong encryption key. */
export async function usableRepository(env: BackupEnvironment): Promise<Repository> {
  const repository = await readRepository(env);
  if (repository.problem) throw new Error(`The backup repository cannot be used: ${repository.problem}`);
  return repository;
}
