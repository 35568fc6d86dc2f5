import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Backup, dataPath, manifestPath, sha256Of } from './backup-folder.ts';
import { codeOf } from './durable.ts';
import { runProgram } from './programs.ts';
import { numberOfPosition, segmentNumber } from './segment.ts';
import { type Chain, checkSegment, followLog } from './wal-chain.ts';

export interface Verified {
  backup: Backup;
  chain: Chain;
  /** The last commit before any gap in the WAL; undefined if the WAL ends with the backup. */
  reachesTo: Date | undefined;
}

/** Checks every file of the backup against its checksum. Throws with the errors. */
export async function verifyFiles(folder: string, backup: Backup): Promise<void> {
  const data = dataPath(folder, backup.id);
  const manifest = await sha256Of(manifestPath(data)).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (manifest !== backup.manifestSha256)
    throw new Error(`The backup ${backup.id} is damaged: its manifest is missing or was changed.`);
  const { exitCode, output } = await runProgram('pg_verifybackup', backup.postgresMajor, ['--quiet', data]);
  if (exitCode !== 0) {
    const faults = output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/^pg_verifybackup: (?:error: )?/, ''));
    throw new Error(`The backup ${backup.id} is damaged: ${faults.slice(0, 5).join('; ')}.`);
  }
}

/** Reads all WAL after the backup and returns how far it can be restored. */
export async function verifyLog(
  folder: string,
  backup: Backup,
  {
    timeline,
    onProgress,
  }: { timeline?: number | undefined; onProgress?: (done: number, all: number) => void },
): Promise<Verified> {
  const chain = await followLog(folder, backup, timeline);
  let done = 0;
  for (const name of chain.segments) {
    await checkSegment(folder, backup, name);
    done += 1;
    onProgress?.(done, chain.segments.length);
  }
  return { backup, chain, reachesTo: await lastCommit(folder, backup, chain.segments) };
}

/** Returns false if the archive ends before the backup does: then only the backup itself can be restored. */
export async function isFollowed(folder: string, backup: Backup): Promise<boolean> {
  const stop = numberOfPosition(backup.stopPosition, backup.segmentBytes);
  const { segments } = await followLog(folder, backup);
  return segments.some((name) => segmentNumber(name, backup.segmentBytes) >= stop);
}

/** Returns the last commit of a timeline, reading only its end. */
export async function endOfLog(folder: string, backup: Backup, timeline: number): Promise<Date | undefined> {
  const { segments } = await followLog(folder, backup, timeline);
  return await lastCommit(folder, backup, segments);
}

/** Segments of an idle cluster may have no commits; at most this many are searched. */
const maxSegmentsSearched = 64;

async function lastCommit(folder: string, backup: Backup, segments: string[]): Promise<Date | undefined> {
  const stop = numberOfPosition(backup.stopPosition, backup.segmentBytes);
  const after = segments.filter((name) => segmentNumber(name, backup.segmentBytes) >= stop);
  for (const name of after.toReversed().slice(0, maxSegmentsSearched)) {
    const commit = await lastCommitIn(folder, backup, name);
    if (commit) return commit;
  }
  return undefined;
}

async function lastCommitIn(folder: string, backup: Backup, name: string): Promise<Date | undefined> {
  const place = await mkdtemp(join(tmpdir(), 'disca-wal-'));
  try {
    const file = join(place, name);
    await writeFile(file, await checkSegment(folder, backup, name), { mode: 0o600 });
    // pg_waldump fails at the end of a partly filled segment, after printing all records.
    const { output } = await runProgram('pg_waldump', backup.postgresMajor, ['--rmgr=Transaction', file]);
    const commits = [...output.matchAll(/desc: COMMIT (\S+ \S+) UTC/g)];
    const last = commits.at(-1)?.[1];
    return last === undefined ? undefined : new Date(`${last.replace(' ', 'T')}Z`);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
