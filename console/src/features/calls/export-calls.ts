import { apiPath, consoleHeaders } from '../../api/client.ts';
import { problemOf, unreachable } from '../../api/problem.ts';
import type { ListFilter } from './queries.ts';

interface FilePicker {
  showSaveFilePicker?(options: object): Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>;
}

const fileName = (): string => `calls-${new Date().toISOString().slice(0, 10)}.csv`;

/**
 * Streams the file to where the person wants it. A browser that cannot ask for a place keeps it on its own disk first
 * and hands it over when it is whole.
 */
export async function exportCalls(
  { where, order }: ListFilter,
  onLines: (count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const name = fileName();
  const chosen = await (window as FilePicker).showSaveFilePicker?.({ suggestedName: name });
  onLines(0);
  const filter = JSON.stringify({ where, ...(order === 'oldest' && { order: 'started_at ASC' }) });
  const url = `${apiPath}/calls/export?${new URLSearchParams({ filter })}`;
  const response = await fetch(url, { headers: consoleHeaders, signal }).catch((error: unknown) => {
    throw signal.aborted ? error : unreachable();
  });
  if (!response.ok || !response.body) throw await problemOf(response);
  const body = response.body.pipeThrough(countLines(onLines));
  if (chosen) return await body.pipeTo(await chosen.createWritable(), { signal });
  hand(await new Response(body, { headers: { 'Content-Type': 'text/csv' } }).blob(), name);
}

const newLine = 10;
const tellEveryMs = 200;

function countLines(onLines: (count: number) => void): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  let toldMs = 0;
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) if (byte === newLine) count += 1;
      if (Date.now() - toldMs > tellEveryMs) {
        toldMs = Date.now();
        onLines(count);
      }
      controller.enqueue(chunk);
    },
  });
}

const keptMs = 60_000;

function hand(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
}
