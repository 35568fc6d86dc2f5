import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import {
  archiveOf,
  followLog,
  isFollowed,
  isSegment,
  listBackups,
  segmentNumber,
} from '../../../adapters/postgres/index.ts';
import { withDatabase } from './database.ts';
import { type Check, type Finding, fault, ok, warning } from './finding.ts';
import type { Settings } from './settings.ts';

const dayMs = 24 * 3600 * 1000;
const oldDays = 2;
const tooOldDays = 8;
const archiveSeconds = 900;
/** The archiver is considered stuck after this many archive timeouts. */
const stuckTimeouts = 5;
const stuckSeconds = 300;

export const checkBackups = ({ BACKUP_DIR: folder }: Settings): Check => ({
  part: 'backup',
  otherwise: 'Check that BACKUP_DIR is the backup folder and that this user may read it.',
  async look() {
    if (!folder) {
      return warning(
        'backup',
        'BACKUP_DIR is not set, so backups cannot be checked',
        'Set it, or verify that your provider keeps backups. See docs/operate/backup.md.',
      );
    }
    const { whole } = await listBackups(folder);
    const last = whole.at(-1);
    if (!last) return fault('backup', `no backups in ${folder}`, 'Run: disca backup');
    const days = (Date.now() - Date.parse(last.finishedAt)) / dayMs;
    const { missing } = await followLog(folder, last);
    if (missing)
      return fault(
        'backup',
        `the WAL after ${last.id} lacks ${missing}`,
        'Run: disca backup, and find out what removed the file.',
      );
    const says = `the last backup is ${last.id}, ${days.toFixed(1)} days old`;
    const advice = 'Run: disca backup, and schedule it daily.';
    if (days > tooOldDays) return fault('backup', says, advice);
    return days > oldDays ? warning('backup', says, advice) : ok('backup', says);
  },
});

export interface Archiver {
  mode: string;
  failing: boolean;
  lastFailed: string | null;
  lastArchived: string | null;
  /** The WAL segment being written. */
  current: string;
  segmentBytes: number;
  idleSeconds: number | null;
  timeoutSeconds: number;
}

export const checkArchiving = ({ DATABASE_OWNER_URL: url, BACKUP_DIR: folder }: Settings): Check => ({
  part: 'log archive',
  otherwise: 'Check that DATABASE_OWNER_URL is right and PostgreSQL runs.',
  async look() {
    if (!url) throw new Error('DATABASE_OWNER_URL is not set');
    const archiver = await withDatabase(url, async ({ kysely }) => {
      const { rows } = await sql<Archiver>`
        select current_setting('archive_mode') as mode,
               coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing,
               last_failed_wal as "lastFailed", last_archived_wal as "lastArchived",
               pg_walfile_name(pg_current_wal_lsn()) as current,
               (select setting::int from pg_settings where name = 'wal_segment_size') as "segmentBytes",
               extract(epoch from now() - coalesce(last_archived_time, stats_reset))::float8 as "idleSeconds",
               (select setting::int from pg_settings where name = 'archive_timeout') as "timeoutSeconds"
          from pg_stat_archiver`.execute(kysely);
      return rows[0];
    });
    if (!archiver) throw new Error('PostgreSQL returned no archiver statistics');
    const finding = judgeArchiver(archiver);
    return finding.state === 'ok' && folder ? ((await judgeFolder(folder, archiver)) ?? finding) : finding;
  },
});

const part = 'log archive';

/** Checks that the WAL is archived to this folder; PostgreSQL may be configured with another one. */
async function judgeFolder(folder: string, { lastArchived }: Archiver): Promise<Finding | undefined> {
  const archive = archiveOf(folder);
  if (lastArchived !== null && !existsSync(join(archive, `${lastArchived}.gz`)))
    return fault(
      part,
      `PostgreSQL archived ${lastArchived}, but ${archive} does not have it`,
      'Check that archive_command writes to BACKUP_DIR, and that BACKUP_DIR is the same folder.',
    );
  const last = (await listBackups(folder)).whole.at(-1);
  if (!last || (await isFollowed(folder, last))) return undefined;
  return fault(
    part,
    `the WAL in ${archive} ends before the backup ${last.id} does, so nothing later can be restored`,
    'Run: disca backup, now that the WAL is archived.',
  );
}

/**
 * Returns whether complete segments are waiting and none was archived for a long time. A hanging command neither fails
 * nor succeeds.
 */
function isStuck({ lastArchived, current, segmentBytes, idleSeconds, timeoutSeconds }: Archiver): boolean {
  if ((idleSeconds ?? 0) < Math.max(stuckSeconds, stuckTimeouts * timeoutSeconds)) return false;
  if (lastArchived === null) return true;
  const name = lastArchived.slice(0, 24);
  return !isSegment(name) || segmentNumber(current, segmentBytes) - segmentNumber(name, segmentBytes) > 1;
}

export function judgeArchiver(archiver: Archiver): Finding {
  const { mode, failing, lastFailed, lastArchived, idleSeconds, timeoutSeconds } = archiver;
  if (mode === 'off') {
    return warning(
      part,
      'PostgreSQL does not archive its WAL: a failure loses everything since the last backup',
      "Set archive_mode = on and archive_command = 'disca backup archive-wal %p %f --to DIR', and restart it; or use your provider's.",
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
