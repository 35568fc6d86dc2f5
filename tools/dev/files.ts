import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

const tailBytes = 16_384;

export function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    throw error;
  }
}

/** Writes to a temporary file and renames it, so that a reader or a Ctrl-C never leaves a partial file. */
export function writeJson(path: string, value: unknown, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode });
  renameSync(temporary, path);
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

export function lastLines(path: string, count: number): string[] {
  try {
    const size = statSync(path).size;
    const buffer = Buffer.alloc(Math.min(size, tailBytes));
    const file = openSync(path, 'r');
    readSync(file, buffer, 0, buffer.length, size - buffer.length);
    closeSync(file);
    return buffer.toString('utf8').trimEnd().split('\n').slice(-count);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
