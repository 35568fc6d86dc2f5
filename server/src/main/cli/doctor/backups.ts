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
/** So many times its timeout may pass before an archiver is taken for stuck. */
const stuckTimeouts = 5;
const stuckSeconds = 300;

export const checkBackups = ({ BACKUP_DIR: folder }: Settings): Check => ({
  part: 'backup',
  otherwise: 'See that BACKUP_DIR is the folder of backups and that this user may read it.',
  async look() {
    if (!folder) {
      return warning(
        'backup',
        'BACKUP_DIR is not set, so that backups cannot be looked at',
        'Set it, or see yourself that your provider keeps backups. See docs/operate/backup.md.',
      );
    }
    const { whole } = await listBackups(folder);
    const last = whole.at(-1);
    if (!last) return fault('backup', `${folder} has none`, 'Run: disca backup');
    const days = (Date.now() - Date.parse(last.finishedAt)) / dayMs;
    const { missing } = await followLog(folder, last);
    if (missing)
      return fault(
        'backup',
        `the log after ${last.id} lacks ${missing}`,
        'Run: disca backup, and find out who removed the file.',
      );
    const says = `the last is ${last.id}, ${days.toFixed(1)} days old`;
    const advice = 'Run: disca backup, and let a timer do it every day.';
    if (days > tooOldDays) return fault('backup', says, advice);
    return days > oldDays ? warning('backup', says, advice) : ok('backup', says);
  },
});

export interface Archiver {
  mode: string;
  failing: boolean;
  lastFailed: string | null;
  lastArchived: string | null;
  /** The segment that is written now. */
  current: string;
  segmentBytes: number;
  idleSeconds: number | null;
  timeoutSeconds: number;
}

export const checkArchiving = ({ DATABASE_OWNER_URL: url, BACKUP_DIR: folder }: Settings): Check => ({
  part: 'log archive',
  otherwise: 'See that DATABASE_OWNER_URL is right and PostgreSQL runs.',
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
    if (!archiver) throw new Error('PostgreSQL says nothing of its archiver');
    const found = judgeArchiver(archiver);
    return found.state === 'ok' && folder ? ((await judgeFolder(folder, archiver)) ?? found) : found;
  },
});

const part = 'log archive';

/** That PostgreSQL hands its log to somebody does not mean that it comes here. */
async function judgeFolder(folder: string, { lastArchived }: Archiver): Promise<Finding | undefined> {
  const archive = archiveOf(folder);
  if (lastArchived !== null && !existsSync(join(archive, `${lastArchived}.gz`)))
    return fault(
      part,
      `PostgreSQL has archived ${lastArchived}, and ${archive} does not have it`,
      'See that archive_command writes to BACKUP_DIR, and that this is the folder it means.',
    );
  const last = (await listBackups(folder)).whole.at(-1);
  if (!last || (await isFollowed(folder, last))) return undefined;
  return fault(
    part,
    `the log in ${archive} ends before the backup ${last.id} does, so that nothing later can be restored`,
    'Run: disca backup, now that the log is archived.',
  );
}

/** Whole segments wait, and nothing has been heard of one for long: a command that hangs neither fails nor succeeds. */
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
      'PostgreSQL does not archive its log: what is lost is everything since the last backup',
      "Set archive_mode = on and archive_command = 'disca backup archive-wal %p %f --to DIR', and restart it; or use your provider's.",
    );
  }
  if (failing)
    return fault(
      part,
      `${lastFailed} could not be archived`,
      "PostgreSQL's own log says why; it fills its disk until then.",
    );
  if (isStuck(archiver))
    return fault(
      part,
      `nothing was archived for ${Math.round((idleSeconds ?? 0) / 60)} minutes, since ${lastArchived ?? 'the beginning'}, while the log went on`,
      'archive_command hangs: see that its disk answers. PostgreSQL fills its own until then.',
    );
  if (timeoutSeconds === 0 || timeoutSeconds > archiveSeconds) {
    return warning(
      part,
      `archive_timeout is ${timeoutSeconds || 'off'}, so that a quiet hour may be lost whole`,
      'Set archive_timeout = 60: then at most a minute is.',
    );
  }
  return ok(part, `at most ${timeoutSeconds} s can be lost`);
}
