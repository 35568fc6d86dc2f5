import { mkdir, open, readFile, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type Backup,
  basesPath,
  listBackups,
  manifestPath,
  metadataPath,
  sha256Of,
  unfinishedSuffix,
} from './backup-folder.ts';
import { createDurably, syncFolder } from './durable.ts';
import { connectionOf, runProgram } from './programs.ts';
import {
  lockBackups,
  readFacts,
  readRole,
  readServerTime,
  type ServerFacts,
  withServer,
} from './server-facts.ts';

export interface BackupOptions {
  url: string;
  folder: string;
  onProgress?: (text: string) => void;
}

export interface CreatedBackup {
  backup: Backup;
  /** Reasons why the backup cannot be restored to a time after its end. */
  warnings: string[];
}

/** Creates a base backup with pg_basebackup. It gets its final name only once it is complete and synced. */
export async function createBackup({ url, folder, onProgress }: BackupOptions): Promise<CreatedBackup> {
  return await withServer(url, async (client) => {
    await refuseWithoutReplication(client);
    const facts = await readFacts(client);
    refuseUnable(facts);
    if (!(await lockBackups(client))) throw new Error('Another backup of this cluster is running.');
    const bases = basesPath(folder);
    await mkdir(bases, { recursive: true, mode: 0o750 });
    await refuseTooSmall(bases, facts.bytes);
    // This process holds the lock, so no running process owns these incomplete backups.
    for (const torn of (await listBackups(folder)).torn)
      if (torn.endsWith(unfinishedSuffix)) await rm(join(bases, torn), { recursive: true, force: true });

    const id = `${facts.now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
    if ((await listBackups(folder)).whole.some((backup) => backup.id === id))
      throw new Error(`The backup ${id} was created in the same second. Run this again.`);
    const unfinished = join(bases, `${id}${unfinishedSuffix}`);
    await mkdir(unfinished, { mode: 0o700 });
    await copyCluster(url, facts.major, join(unfinished, 'data'), onProgress);
    const backup = await describe(id, unfinished, facts, await readServerTime(client));
    await createDurably(metadataPath(unfinished), `${JSON.stringify(backup, null, 2)}\n`);
    await rename(unfinished, join(bases, id));
    await syncFolder(bases);
    return { backup, warnings: warningsOf(facts) };
  });
}

async function refuseWithoutReplication(client: Parameters<typeof readRole>[0]): Promise<void> {
  const { role, mayReplicate } = await readRole(client);
  if (!mayReplicate) {
    throw new Error(
      `The role ${role} may not copy the cluster. As a superuser, run: alter role "${role}" replication; and allow it for "replication" in pg_hba.conf.`,
    );
  }
}

function refuseUnable({ walLevel, walSenders, tablespaces }: ServerFacts): void {
  if (walLevel === 'minimal' || walSenders === 0)
    throw new Error(
      'The settings of PostgreSQL do not allow backups. Set wal_level = replica and max_wal_senders = 10, and restart it.',
    );
  if (tablespaces > 0)
    throw new Error(
      'The cluster has custom tablespaces, which this backup does not support. Use pg_basebackup directly.',
    );
}

async function refuseTooSmall(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes < neededBytes) {
    throw new Error(
      `${folder} has ${megabytes(freeBytes)} free, and the cluster needs ${megabytes(neededBytes)}. Free space, or keep fewer backups.`,
    );
  }
}

export const megabytes = (bytes: number): string =>
  `${Math.round(bytes / 1_000_000).toLocaleString('en')} MB`;

async function copyCluster(
  url: string,
  major: number,
  target: string,
  onProgress?: (text: string) => void,
): Promise<void> {
  const { connection, env } = connectionOf(url);
  const args = [
    ...['--dbname', connection, '--pgdata', target, '--format', 'plain', '--wal-method', 'stream'],
    ...['--checkpoint', 'fast', '--manifest-checksums', 'SHA256', '--no-password', '--progress'],
  ];
  const { exitCode, output } = await runProgram('pg_basebackup', major, args, {
    env,
    ...(onProgress ? { onProgress } : {}),
  });
  if (exitCode !== 0) throw new Error(`Copying the cluster failed. ${lastWords(output)}`);
}

/** Returns the output without progress lines. */
const lastWords = (output: string): string =>
  output
    .split(/[\r\n]+/)
    .filter((line) => line.includes('pg_basebackup:'))
    .join(' ')
    .slice(-1_000);

const manifestSchema = z.object({
  Files: z.array(z.object({ Size: z.int() })),
  'WAL-Ranges': z
    .array(z.object({ Timeline: z.int(), 'Start-LSN': z.string(), 'End-LSN': z.string() }))
    .min(1),
});

async function describe(id: string, base: string, facts: ServerFacts, finishedAt: Date): Promise<Backup> {
  const manifest = manifestPath(join(base, 'data'));
  const { Files: files, 'WAL-Ranges': ranges } = manifestSchema.parse(
    JSON.parse(await readFile(manifest, 'utf8')),
  );
  const last = ranges.at(-1);
  return {
    id,
    startedAt: facts.now.toISOString(),
    finishedAt: finishedAt.toISOString(),
    systemIdentifier: await systemIdentifierOf(join(base, 'data')),
    postgresMajor: facts.major,
    timeline: last?.Timeline ?? 1,
    startPosition: ranges[0]?.['Start-LSN'] ?? '',
    stopPosition: last?.['End-LSN'] ?? '',
    segmentBytes: facts.segmentBytes,
    bytes: files.reduce((sum, { Size }) => sum + Size, 0),
    files: files.length,
    manifestSha256: await sha256Of(manifest),
    migration: facts.migration,
  };
}

/** Reads the system identifier from the first eight bytes of the control file. */
async function systemIdentifierOf(data: string): Promise<string> {
  const file = await open(join(data, 'global/pg_control'));
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0);
    return String(buffer.readBigUInt64LE(0));
  } finally {
    await file.close();
  }
}

const warningsOf = ({ archives }: ServerFacts): string[] =>
  archives
    ? []
    : [
        'PostgreSQL does not archive its WAL, so this backup can be restored only to its own end. See docs/operate/backup.md.',
      ];
