import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { reading } from '../../platform/telemetry/metrics.ts';
import type { Instruments } from './instruments.ts';

interface Paths {
  recordsFile: string;
  recordingsDirectory: string;
}

/** Exports the backlog of the media node, counted on every scrape. Returns a function that counts failures. */
export function exportShippingMetrics(instruments: Instruments, paths: Paths): () => void {
  const finishedAt = () => listFinished(paths.recordingsDirectory);
  instruments.gauge('disca_shipper_recordings_waiting', async () => reading((await finishedAt()).length));
  instruments.gauge('disca_shipper_recording_oldest_seconds', async () =>
    reading(Math.max(0, ...(await finishedAt()).map((atMs) => (Date.now() - atMs) / 1000))),
  );
  instruments.gauge('disca_shipper_records_behind_bytes', async () =>
    reading(await bytesBehind(paths.recordsFile)),
  );
  return instruments.counter('disca_shipper_failures_total');
}

/** Returns the modification times of the files in the folder. */
async function listFinished(directory: string): Promise<number[]> {
  const names = await readdir(directory).catch(() => []);
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith('.wav'))
      .map((name) => stat(join(directory, name)).catch(() => undefined)),
  );
  return files.filter((file) => file !== undefined).map(({ mtimeMs }) => mtimeMs);
}

/** Returns the bytes not shipped yet. The shipper stores the file's identity and its read position beside the file. */
async function bytesBehind(file: string): Promise<number> {
  const [stats, mark] = await Promise.all([
    stat(file).catch(() => undefined),
    readFile(`${file}.shipped`, 'utf8').catch(() => ''),
  ]);
  if (!stats) return 0;
  const [inode, offset = 0] = mark.split(' ').map(Number);
  return inode === stats.ino ? Math.max(stats.size - offset, 0) : stats.size;
}
