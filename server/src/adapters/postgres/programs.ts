import { spawn } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const debianHome = '/usr/lib/postgresql';
const maxOutput = 1_000_000;

export interface ProgramOptions {
  env?: Record<string, string>;
  /** Called with stderr output as it arrives; the programs report progress there. */
  onProgress?: (text: string) => void;
  uid?: number;
  gid?: number;
}

export interface ProgramResult {
  exitCode: number;
  output: string;
}

/** Runs a PostgreSQL program to its end, whatever its exit code. */
export function runProgram(
  name: string,
  major: number,
  args: string[],
  { env, onProgress, ...user }: ProgramOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(findProgram(name, major), args, {
      ...user,
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = `${output}${chunk.toString('utf8')}`.slice(-maxOutput);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', (chunk: Buffer) => {
      keep(chunk);
      onProgress?.(chunk.toString('utf8'));
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ exitCode: code ?? 1, output }));
  });
}

/**
 * Finds the program of this major version; others reject the files. Debian installs each version separately; elsewhere
 * PATH is used.
 */
function findProgram(name: string, major: number): string {
  const ofDebian = versionsOf(debianHome)
    .filter((version) => version === major)
    .map((version) => join(debianHome, String(version), 'bin'));
  const folders = [...ofDebian, ...(process.env.PATH ?? '').split(delimiter)];
  const program = folders.map((folder) => join(folder, name)).find(isExecutable);
  if (!program) {
    throw new Error(
      `${name} of PostgreSQL ${major} is not installed. Install the package postgresql-${major}, or add the folder with its programs to PATH.`,
    );
  }
  return program;
}

function versionsOf(home: string): number[] {
  try {
    return readdirSync(home).map(Number);
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Passes the password in the environment, because arguments are visible in the process list. */
export function connectionOf(url: string): { connection: string; env: Record<string, string> } {
  const parsed = new URL(url);
  const inQuery = 'password=';
  // Keeps other parameters unchanged: URLSearchParams would encode a space as a plus, which PostgreSQL does not decode.
  const pairs = parsed.search.slice(1).split('&');
  const named = pairs.findLast((pair) => pair.startsWith(inQuery))?.slice(inQuery.length);
  const password = decodeURIComponent(named ?? parsed.password);
  parsed.password = '';
  parsed.search = pairs.filter((pair) => !pair.startsWith(inQuery)).join('&');
  return { connection: parsed.toString(), env: password === '' ? {} : { PGPASSWORD: password } };
}
