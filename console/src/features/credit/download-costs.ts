import { apiPath, consoleHeaders } from '../../api/client.ts';
import { readProblem, unreachable } from '../../api/problem.ts';
import type { CsvFormat } from '../../shared/download/csv-formats.ts';
import { downloadLines } from '../../shared/download/download-lines.ts';

/** Saves the calls of a month by extension and person as a file. */
export async function downloadCosts(
  month: string,
  format: CsvFormat,
  onLines: (count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const url = `${apiPath}/accounts/statement/by-extension?${new URLSearchParams({ month, format })}`;
  const open = async (): Promise<ReadableStream<Uint8Array>> => {
    const response = await fetch(url, { headers: consoleHeaders, signal }).catch((error: unknown) => {
      throw signal.aborted ? error : unreachable();
    });
    if (!response.ok || !response.body) throw await readProblem(response);
    return response.body;
  };
  await downloadLines(`extensions-${month}.csv`, open, onLines, signal);
}
