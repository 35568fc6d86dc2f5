import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ArchivedWal } from './wal-archive.ts';

/**
 * Environment of pgBackRest. It reads its options from /etc/pgbackrest/pgbackrest.conf or from variables such as
 * PGBACKREST_REPO1_PATH, which is why they are passed unchanged.
 */
export type BackupEnvironment = Record<string, string>;

export interface ServerUser {
  uid: number;
  gid: number;
}

export interface Backup {
  /** Label of pgBackRest, such as 20261118-024837F. */
  id: string;
  type: 'full' | 'diff' | 'incr';
  startedAt: string;
  /** The earliest time to which the backup can be restored. */
  finishedAt: string;
  /** Bytes of the database. */
  bytes: number;
  /** Bytes that this backup added to the repository. */
  storedBytes: number;
  /** The first WAL segment that a restore of this backup needs. */
  firstSegment: string;
  /** True if PostgreSQL pages with a wrong checksum were found. */
  hasErrors: boolean;
}

export interface Repository {
  /** False if pgBackRest has not been set up, or no backup was made yet. */
  hasStanza: boolean;
  /** Reason why the repository cannot be used; absent if it can. */
  problem?: string;
  /** Oldest first. */
  backups: Backup[];
  /** Folder of the newest database version in the archive, such as 15-1. */
  archiveId?: string;
  /** The newest archived WAL segment. */
  lastSegment?: string;
}

const okCode = 0;
const missingStanzaCode = 1;
const noBackupCode = 2;

const infoSchema = z.tuple([
  z.object({
    status: z.object({ code: z.int(), message: z.string() }),
    repo: z.array(z.object({ status: z.object({ message: z.string() }) })).default([]),
    archive: z.array(z.object({ id: z.string(), max: z.string().nullish() })),
    backup: z.array(
      z.object({
        label: z.string(),
        type: z.enum(['full', 'diff', 'incr']),
        timestamp: z.object({ start: z.int(), stop: z.int() }),
        info: z.object({ size: z.number(), repository: z.object({ delta: z.number() }) }),
        archive: z.object({ start: z.string() }),
        error: z.boolean().nullish(),
      }),
    ),
  }),
]);

export async function readRepository(env: BackupEnvironment): Promise<Repository> {
  const output = await runOrThrow(env, ['info', '--output=json']);
  // pgBackRest does not escape control characters in its messages, such as those of a file it cannot decrypt.
  const [info] = infoSchema.parse(JSON.parse(output.replaceAll(/\p{Cc}/gu, ' ')));
  const { code, message } = info.status;
  const isUsable = [okCode, missingStanzaCode, noBackupCode].includes(code);
  const archive = info.archive.at(-1);
  return {
    hasStanza: code !== missingStanzaCode,
    ...(isUsable ? {} : { problem: info.repo[0]?.status.message.split('\n')[0] ?? message }),
    backups: info.backup.map(({ label, type, timestamp, info: sizes, archive: wal, error }) => ({
      id: label,
      type,
      startedAt: new Date(timestamp.start * 1000).toISOString(),
      finishedAt: new Date(timestamp.stop * 1000).toISOString(),
      bytes: sizes.size,
      storedBytes: sizes.repository.delta,
      firstSegment: wal.start,
      hasErrors: error ?? false,
    })),
    ...(archive ? { archiveId: archive.id } : {}),
    ...(archive?.max ? { lastSegment: archive.max } : {}),
  };
}

const filesSchema = z.record(z.string(), z.object({ time: z.int().optional() }));
const segmentFile = /(?:^|\/)([0-9A-F]{24})-[0-9a-f]{40}/;
const historyFile = /^([0-9A-F]{8})\.history$/;

/** Returns the WAL in the repository, by the names of its files. */
export async function readArchivedWal(env: BackupEnvironment, archiveId: string): Promise<ArchivedWal> {
  const folder = `archive/${env.PGBACKREST_STANZA}/${archiveId}`;
  const files = filesSchema.parse(
    JSON.parse(await runOrThrow(env, ['repo-ls', folder, '--recurse', '--output=json'])),
  );
  const wal: ArchivedWal = { segments: new Map(), histories: new Map() };
  for (const [path, { time = 0 }] of Object.entries(files)) {
    const segment = segmentFile.exec(path)?.[1];
    if (segment) wal.segments.set(segment, new Date(time * 1000));
    const timeline = historyFile.exec(path)?.[1];
    if (timeline)
      wal.histories.set(
        Number.parseInt(timeline, 16),
        await runOrThrow(env, ['repo-get', `${folder}/${path}`]),
      );
  }
  return wal;
}

export class NotInstalledError extends Error {}

export interface PgbackrestResult {
  exitCode: number;
  output: string;
  /** Errors and warnings, without time and process number. */
  messages: string;
}

/** Runs pgBackRest to its end, whatever its exit code. As root, it runs as the user of PostgreSQL. */
export function runPgbackrest(env: BackupEnvironment, args: string[]): Promise<PgbackrestResult> {
  return new Promise((resolve, reject) => {
    // `verify` prints its report as part of its log.
    const consoleLevel = args[0] === 'verify' ? 'warn' : 'off';
    const options = [
      ...locationOptions(env),
      `--log-level-console=${consoleLevel}`,
      '--log-level-stderr=warn',
    ];
    const child = spawn('pgbackrest', [...args, ...options], {
      ...serverUser(),
      cwd: '/',
      env: { LC_ALL: 'C', TZ: 'UTC', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [output, messages]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => messages.push(chunk));
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new NotInstalledError('pgBackRest is not installed (package pgbackrest)')
          : error,
      ),
    );
    child.once('close', (code) =>
      resolve({
        exitCode: code ?? 1,
        output: Buffer.concat(output).toString('utf8'),
        messages: readable(Buffer.concat(messages).toString('utf8')),
      }),
    );
  });
}

/**
 * Returns the options that locate the configuration. pgBackRest copies options, but not variables, to the
 * restore_command of a restored cluster.
 */
const locationOptions = (env: BackupEnvironment): string[] =>
  [
    { option: 'stanza', value: env.PGBACKREST_STANZA },
    { option: 'config', value: env.PGBACKREST_CONFIG },
    { option: 'config-include-path', value: env.PGBACKREST_CONFIG_INCLUDE_PATH },
  ].flatMap(({ option, value }) => (value ? [`--${option}=${value}`] : []));

export async function runOrThrow(env: BackupEnvironment, args: string[]): Promise<string> {
  const { exitCode, output, messages } = await runPgbackrest(env, args);
  if (exitCode !== 0) throw new Error(`pgBackRest ${args[0]} failed: ${messages}`);
  return output;
}

const readable = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      line
        .replace(/^\S+ \S+ P\d+\s+(?:ERROR|WARN): /, '')
        .replace(/^\[\d+\]: /, '')
        .trim(),
    )
    .filter(Boolean)
    .join(' ')
    .slice(0, 2_000);

/**
 * Returns the user that runs PostgreSQL, for root: files that root writes into the repository could not be read by
 * PostgreSQL.
 */
export function serverUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error('PostgreSQL does not run as root, and there is no user postgres. Run this as its user.');
  return { uid: Number(uid), gid: Number(gid) };
}
