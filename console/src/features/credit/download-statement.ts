import { apiPath, consoleHeaders } from '../../api/client.ts';
import { nextCursor } from '../../api/next-cursor.ts';
import { readProblem, unreachable } from '../../api/problem.ts';
import type { CsvFormat } from '../../shared/download/csv-formats.ts';
import { downloadLines } from '../../shared/download/download-lines.ts';
import { statementFilter } from './queries.ts';
import type { StatementWhere } from './view.ts';

/** 5,000 pages of 100 lines: 500,000 lines. */
const maxPages = 5_000;
const maxWaits = 5;
const defaultWaitSeconds = 10;

/** Streams the statement as CSV, page by page, with back-pressure. */
export async function downloadStatement(
  where: StatementWhere,
  format: CsvFormat,
  onLines: (count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const name = `statement-${new Date().toISOString().slice(0, 10)}.csv`;
  await downloadLines(name, async () => pages(where, format, signal), onLines, signal);
}

const newLine = 10;

function pages(where: StatementWhere, format: CsvFormat, signal: AbortSignal): ReadableStream<Uint8Array> {
  let cursor: string | undefined;
  let count = 0;
  return new ReadableStream({
    async pull(controller) {
      const response = await readPage(where, format, cursor, signal);
      // As bytes, because decoding would remove the byte order mark.
      const bytes = new Uint8Array(await response.arrayBuffer());
      // Every page has a header line; only the first one is kept.
      controller.enqueue(count === 0 ? bytes : bytes.subarray(bytes.indexOf(newLine) + 1));
      cursor = nextCursor(response.headers);
      count += 1;
      if (cursor === undefined || count >= maxPages) controller.close();
    },
  });
}

/** Reads a page. When rate limited, waits for `Retry-After`. */
async function readPage(
  where: StatementWhere,
  format: CsvFormat,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const position: Record<string, string> = cursor === undefined ? { page: '1' } : { cursor };
  const url = `${apiPath}/accounts/statement?${new URLSearchParams({ filter: statementFilter(where), format, ...position })}`;
  for (let waits = 0; ; waits += 1) {
    const response = await fetch(url, { headers: consoleHeaders, signal }).catch((error: unknown) => {
      throw signal.aborted ? error : unreachable();
    });
    if (response.ok) return response;
    if (response.status !== 429 || waits >= maxWaits) throw await readProblem(response);
    await pause(Number(response.headers.get('Retry-After')) || defaultWaitSeconds, signal);
  }
}

const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
