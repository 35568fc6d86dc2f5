import { apiPath, consoleHeaders } from '../../../api/client.ts';
import { readProblem, unreachable } from '../../../api/problem.ts';
import { downloadLines } from '../../../shared/download/download-lines.ts';
import type { ListFilter } from '../queries.ts';

const fileName = (): string => `calls-${new Date().toISOString().slice(0, 10)}.csv`;

export async function exportCalls(
  { q, where, order }: ListFilter,
  onLines: (count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const filter = JSON.stringify({ where, ...(order === 'oldest' && { order: 'started_at ASC' }) });
  const url = `${apiPath}/calls/export?${new URLSearchParams({ ...(q !== undefined && { q }), filter })}`;
  const open = async (): Promise<ReadableStream<Uint8Array>> => {
    const response = await fetch(url, { headers: consoleHeaders, signal }).catch((error: unknown) => {
      throw signal.aborted ? error : unreachable();
    });
    if (!response.ok || !response.body) throw await readProblem(response);
    return response.body;
  };
  await downloadLines(fileName(), open, onLines, signal);
}
