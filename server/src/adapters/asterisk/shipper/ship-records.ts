import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import type { Controller } from './controller.ts';

const maxLines = 500;
const maxBytes = 1024 * 1024;
/** A fully shipped file is rotated at this size; the previous one is overwritten. */
const rotateBytes = 32 * 1024 * 1024;

/** Sends the lines of the engine's detail records to the controller, each at least once, and persists the offset. */
export async function shipRecords(controller: Controller, file: string): Promise<void> {
  const marker = `${file}.shipped`;
  const aside = `${file}.1`;
  // Ships lines that the engine wrote during the rotation.
  if (await isMarked(aside, marker)) {
    await shipFile(aside, marker, (lines) =>
      lines.length > 0 ? controller.sendRecords(lines, false) : Promise.resolve(),
    );
  }
  const shipped = await shipFile(file, marker, controller.sendRecords);
  // The engine opens the file for each record, so the next record starts a new file.
  if (shipped >= rotateBytes) await rename(file, aside);
}

/** Ships new lines of the file and returns the shipped offset. */
async function shipFile(file: string, marker: string, send: Controller['sendRecords']): Promise<number> {
  for (;;) {
    const offset = await readOffset(file, marker);
    const { lines, next, isEnd } = await readLines(file, offset);
    await send(lines, isEnd);
    if (next !== offset) await writeOffset(file, marker, next);
    if (isEnd) return next;
  }
}

interface Chunk {
  lines: unknown[];
  next: number;
  isEnd: boolean;
}

/** Reads whole lines only: the last one may be incomplete. */
async function readLines(file: string, offset: number): Promise<Chunk> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return { lines: [], next: offset, isEnd: true };
  try {
    const buffer = Buffer.alloc(maxBytes);
    const { bytesRead } = await handle.read(buffer, 0, maxBytes, offset);
    const lines: unknown[] = [];
    let next = 0;
    while (lines.length < maxLines) {
      const end = buffer.subarray(0, bytesRead).indexOf(10, next);
      if (end < 0) break;
      const line = parse(buffer.toString('utf8', next, end));
      if (line !== undefined) lines.push(line);
      next = end + 1;
    }
    const isEnd = lines.length < maxLines && bytesRead < maxBytes;
    // A line longer than any record is skipped, so that the lines after it are shipped.
    if (next === 0 && !isEnd) next = bytesRead;
    return { lines, next: offset + next, isEnd };
  } finally {
    await handle.close();
  }
}

/** Parses a line; lines truncated by a full disk are dropped. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the shipped offset of this file; a new file with the same name starts at zero. */
async function readOffset(file: string, marker: string): Promise<number> {
  const mark = await readMark(marker);
  const stats = await stat(file).catch(() => undefined);
  return mark && stats?.ino === mark.inode && stats.size >= mark.offset ? mark.offset : 0;
}

async function isMarked(file: string, marker: string): Promise<boolean> {
  const [mark, found] = await Promise.all([readMark(marker), stat(file).catch(() => undefined)]);
  return mark !== undefined && found?.ino === mark.inode;
}

async function readMark(marker: string): Promise<{ inode: number; offset: number } | undefined> {
  const text = await readFile(marker, 'utf8').catch(() => '');
  const [inode, offset] = text.split(' ').map(Number);
  return inode && offset !== undefined ? { inode, offset } : undefined;
}

async function writeOffset(file: string, marker: string, offset: number): Promise<void> {
  const { ino } = await stat(file);
  await writeFile(`${marker}.new`, `${ino} ${offset}`);
  await rename(`${marker}.new`, marker);
}
