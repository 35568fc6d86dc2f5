import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import type { Controller } from './controller.ts';

const mostLines = 500;
const mostBytes = 1024 * 1024;
/** A file that is shipped whole is set aside at this size; the one before it is forgotten. */
const rotateBytes = 32 * 1024 * 1024;

/** Carries the lines of the engine's detail records to the controller, each at least once, and remembers how far it got. */
export async function shipRecords(controller: Controller, file: string): Promise<void> {
  const marker = `${file}.shipped`;
  for (;;) {
    const offset = await readOffset(file, marker);
    const { lines, next, isEnd } = await readLines(file, offset);
    await controller.sendRecords(lines, isEnd);
    if (next !== offset) await writeOffset(file, marker, next);
    if (!isEnd) continue;
    if (next < rotateBytes) return;
    // The engine opens the file for each record, so the next one begins a new file. What came in between is shipped
    // from the old name.
    await rename(file, `${file}.1`);
    const rest = await readLines(`${file}.1`, next);
    await controller.sendRecords(rest.lines, false);
    return;
  }
}

interface Chunk {
  lines: unknown[];
  next: number;
  isEnd: boolean;
}

/** Whole lines only: the last one may still be being written. */
async function readLines(file: string, offset: number): Promise<Chunk> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return { lines: [], next: offset, isEnd: true };
  try {
    const buffer = Buffer.alloc(mostBytes);
    const { bytesRead } = await handle.read(buffer, 0, mostBytes, offset);
    const lines: unknown[] = [];
    let next = 0;
    while (lines.length < mostLines) {
      const end = buffer.subarray(0, bytesRead).indexOf(10, next);
      if (end < 0) break;
      const line = parse(buffer.toString('utf8', next, end));
      if (line !== undefined) lines.push(line);
      next = end + 1;
    }
    const isEnd = lines.length < mostLines && bytesRead < mostBytes;
    return { lines, next: offset + next, isEnd };
  } finally {
    await handle.close();
  }
}

/** A line that a full disk cut short is of no use to anybody. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

/** How far this very file was shipped; another file under the same name begins anew. */
async function readOffset(file: string, marker: string): Promise<number> {
  try {
    const [inode, offset] = (await readFile(marker, 'utf8')).split(' ').map(Number);
    const { ino, size } = await stat(file);
    return ino === inode && offset !== undefined && size >= offset ? offset : 0;
  } catch {
    return 0;
  }
}

async function writeOffset(file: string, marker: string, offset: number): Promise<void> {
  const { ino } = await stat(file);
  await writeFile(`${marker}.new`, `${ino} ${offset}`);
  await rename(`${marker}.new`, marker);
}
