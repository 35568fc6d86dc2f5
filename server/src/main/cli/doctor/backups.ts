import { sql } from 'kysely';
import {
  followWal,
  isSegment,
  NotInstalledError,
  type Replayable,
  type Repository,
  readArchivedWal,
  readRepository,
  segmentNumber,
} from '../../../adapters/postgres/index.ts';
import { backupEnvironment } from '../backup-environment.ts';
import { withDatabase } from './database.ts';
import { type Check, type Finding, fault, ok, warning } from './finding.ts';
import type { Environment, Settings } from './settings.ts';

const dayMs = 24 * 3600 * 1000;
const oldDays = 2;
const tooOldDays = 8;
const archiveSeconds = 900;
/** The archiver is considered stuck after this many archive timeouts. */
const stuckTimeouts = 5;
const stuckSeconds = 300;

export const checkBackups = (environment: Environment): Check => ({
  part: 'backup',
  otherwise: 'Check the configuration of pgBackRest on this machine, and that this user may read it.',
  async look() {
    const env = backupEnvironment(environment);
    try {
      const repository = await readRepository(env);
      const last = repository.backups.at(-1);
      const wal =
        last && repository.archiveId !== undefined
          ? followWal(await readArchivedWal(env, repository.archiveId), last.firstSegment)
          : undefined;
      return judgeBackups(repository, wal, Date.now());
    } catch (error) {
      if (error instanceof NotInstalledError) return unchecked(error.message);
      throw error;
    }
  },
});

const unchecked = (reason: string): Finding =>
  warning(
    'backup',
    `backups cannot be checked on this machine: ${reason}`,
    'Run this where pgBackRest is set up; or verify that your provider keeps backups. See docs/operate/backup.md.',
  );

export function judgeBackups(
  { hasStanza, problem, backups }: Repository,
  wal: Replayable | undefined,
  nowMs: number,
): Finding {
  if (!hasStanza) return unchecked('pgBackRest has no such stanza');
  if (problem)
    return fault('backup', `the repository cannot be used: ${problem}`, 'Check its key and location.');
  const last = backups.at(-1);
  if (!last || !wal) return fault('backup', 'the repository has no backup', 'Run: disca backup');
  if (wal.missing)
    return fault(
      'backup',
      `the WAL after ${last.id} lacks ${wal.missing}`,
      'Run: disca backup, and find out what removed the file.',
    );
  if (last.hasErrors)
    return fault(
      'backup',
      `${last.id} has pages with wrong checksums`,
      'The disk of PostgreSQL is damaged: fail over to another machine, or restore an earlier backup.',
    );
  const days = (nowMs - Date.parse(last.finishedAt)) / dayMs;
  const says = `the last backup is ${last.id}, ${days.toFixed(1)} days old`;
  const advice = 'Run: disca backup, and schedule it daily.';
  if (days > tooOldDays) return fault('backup', says, advice);
  return days > oldDays ? warning('backup', says, advice) : ok('backup', says);
}

export interface Archiver {
  mode: string;
  failing: boolean;
  lastFailed: string | null;
  lastArchived: string | null;
  /** The WAL segment being written. */
  current: string;
  idleSeconds: number | null;
  timeoutSeconds: number;
}

export const checkArchiving = (environment: Environment, { DATABASE_OWNER_URL: url }: Settings): Check => ({
  part,
  otherwise: 'Check that DATABASE_OWNER_URL is right and PostgreSQL runs.',
  async look() {
    if (!url) throw new Error('DATABASE_OWNER_URL is not set');
    const archiver = await withDatabase(url, async ({ kysely }) => {
      const { rows } = await sql<Archiver>`
        select current_setting('archive_mode') as mode,
               coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing,
               last_failed_wal as "lastFailed", last_archived_wal as "lastArchived",
               pg_walfile_name(pg_current_wal_lsn()) as current,
               extract(epoch from now() - coalesce(last_archived_time, stats_reset))::float8 as "idleSeconds",
               (select setting::int from pg_settings where name = 'archive_timeout') as "timeoutSeconds"
          from pg_stat_archiver`.execute(kysely);
      return rows[0];
    });
    if (!archiver) throw new Error('PostgreSQL returned no archiver statistics');
    const finding = judgeArchiver(archiver);
    return finding.state === 'ok' ? ((await judgeRepository(environment, archiver)) ?? finding) : finding;
  },
});

const part = 'log archive';

/** Checks that the WAL is in this repository; PostgreSQL may be configured with another one. */
async function judgeRepository(
  environment: Environment,
  { lastArchived }: Archiver,
): Promise<Finding | undefined> {
  const name = lastArchived?.slice(0, 24);
  const repository = await readRepository(backupEnvironment(environment)).catch(() => undefined);
  if (!name || !isSegment(name) || !repository?.hasStanza) return undefined;
  const { lastSegment } = repository;
  if (lastSegment && segmentNumber(lastSegment) >= segmentNumber(name)) return undefined;
  return fault(
    part,
    `PostgreSQL archived ${name}, but the repository ends with ${lastSegment ?? 'no segment'}`,
    'Check that archive_command of PostgreSQL and pgBackRest on this machine use the same repository.',
  );
}

/**
 * Returns whether complete segments are waiting and none was archived for a long time. A hanging command neither fails
 * nor succeeds.
 */
function isStuck({ lastArchived, current, idleSeconds, timeoutSeconds }: Archiver): boolean {
  if ((idleSeconds ?? 0) < Math.max(stuckSeconds, stuckTimeouts * timeoutSeconds)) return false;
  if (lastArchived === null) return true;
  const name = lastArchived.slice(0, 24);
  return !isSegment(name) || segmentNumber(current) - segmentNumber(name) > 1;
}

export function judgeArchiver(archiver: Archiver): Finding {
  const { mode, failing, lastFailed, lastArchived, idleSeconds, timeoutSeconds } = archiver;
  if (mode === 'off') {
    return warning(
      part,
      'PostgreSQL does not archive its WAL: a failure loses everything since the last backup',
      "Set archive_mode = on and archive_command = 'pgbackrest --stanza=disca archive-push %p', and restart it; or use your provider's.",
    );
  }
  if (failing)
    return fault(
      part,
      `${lastFailed} could not be archived`,
      "PostgreSQL's log shows the reason. Until it is fixed, WAL fills the disk.",
    );
  if (isStuck(archiver))
    return fault(
      part,
      `nothing was archived for ${Math.round((idleSeconds ?? 0) / 60)} minutes, since ${lastArchived ?? 'the beginning'}, while new WAL was written`,
      'archive_command hangs: check its disk. Until it is fixed, WAL fills the disk of PostgreSQL.',
    );
  if (timeoutSeconds === 0 || timeoutSeconds > archiveSeconds) {
    return warning(
      part,
      `archive_timeout is ${timeoutSeconds || 'off'}, so in quiet periods an hour or more may be lost`,
      'Set archive_timeout = 60: then at most one minute is lost.',
    );
  }
  return ok(part, `at most ${timeoutSeconds} s can be lost`);
}
