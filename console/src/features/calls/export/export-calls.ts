import { apiPath, consoleHeaders } from '../../../api/client.ts';
import { readProblem, unreachable } from '../../../api/problem.ts';
import type { CsvFormat } from '../../../shared/download/csv-formats.ts';
import { downloadLines } from '../../../shared/download/download-lines.ts';
import type { ListFilter } from '../queries.ts';

const fileName = (): string => `calls-${new Date().toISOString().slice(0, 10)}.csv`;

/** Saves the calls as a file. Its links lead to the console: a file outlives the signed links of recordings. */
export async function exportCalls(
  { q, where, order }: ListFilter,
  format: CsvFormat,
  onLines: (count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const filter = JSON.stringify({ where, ...(order === 'oldest' && { order: 'started_at ASC' }) });
  const asked = { ...(q !== undefined && { q }), filter, format, links: 'console' };
  const url = `${apiPath}/calls/export?${new URLSearchParams(asked)}`;
  const open = async (): Promise<ReadableStream<Uint8Array>> => {
    const response = await fetch(url, { headers: consoleHeaders, signal }).catch((error: unknown) => {
      throw signal.aborted ? error : unreachable();
    });
    if (!response.ok || !response.body) throw await readProblem(response);
    return response.body;
  };
  await downloadLines(fileName(), open, onLines, signal);
}
