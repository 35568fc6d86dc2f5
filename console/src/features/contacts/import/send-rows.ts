import { type Answer, api, unwrap } from '../../../api/client.ts';
import { isProblem, isRateLimited } from '../../../api/problem.ts';
import { toBatches } from '../../../shared/csv/batches.ts';
import { readContactNumbers } from '../../../shared/phone-number/read-number.ts';
import { type Row, toContact } from './read-rows.ts';

type RowResult = Answer<'/contacts/import', 'post'>['results'][number];

export interface SentRow {
  row: Row;
  result: RowResult;
}

export interface Sending {
  /** Only reports what would happen. */
  isDryRun: boolean;
  /** Stops before the next request. */
  signal: AbortSignal;
  /** Called with all results so far; batches before a failed one are kept. */
  onProgress: (sent: SentRow[]) => void;
}

/** Sends the rows batch by batch and returns the result of each. */
export async function sendRows(rows: Row[], { isDryRun, signal, onProgress }: Sending): Promise<SentRow[]> {
  const read = await readContactNumbers();
  const taken = new Set<string>();
  const sent: SentRow[] = [];
  for (const batch of toBatches(rows, toContact)) {
    signal.throwIfAborted();
    const contacts = batch.map((row) => toContact(row, read));
    // The API knows the rows of one request only.
    const isRepeated = contacts.map(({ number }) => taken.has(number));
    const results = await send(
      contacts.filter((_, n) => !isRepeated[n]),
      isDryRun,
      signal,
    );
    const rest = results.values();
    for (const [n, row] of batch.entries()) {
      const result = isRepeated[n] ? repeated : rest.next().value;
      if (!result) throw new Error('A row has no result.');
      if (result.number !== undefined) taken.add(result.number);
      sent.push({ row, result });
    }
    onProgress([...sent]);
  }
  return sent;
}

const repeated: RowResult = { outcome: 'refused', path: 'number', code: 'duplicate' };

const maxAttempts = 20;
const defaultWaitSeconds = 5;

/** Waits when the import is over a limit of requests. */
async function send(
  contacts: ReturnType<typeof toContact>[],
  dryRun: boolean,
  signal: AbortSignal,
): Promise<RowResult[]> {
  if (contacts.length === 0) return [];
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await unwrap(api.POST('/contacts/import', { body: { contacts, dryRun } }))).results;
    } catch (error) {
      if (!isRateLimited(error) || attempt === maxAttempts) throw error;
      const seconds = (isProblem(error) && error.retryAfterSeconds) || defaultWaitSeconds;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      signal.throwIfAborted();
    }
  }
}
