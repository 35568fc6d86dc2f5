/** Rows that are found in order of their ids, in batches, and handled one by one. */
export interface Walk<Id, Row> {
  /** An id before all others. */
  first: Id;
  /** Returns the next rows after this id; none at the end. */
  find(after: Id): Promise<Row[]>;
  idOf(row: Row): Id;
  handle(row: Row): Promise<void>;
  signal: AbortSignal;
}

/** Smaller than any other id. */
export const firstUuid = '00000000-0000-0000-0000-000000000000';

/**
 * Handles all rows and returns their number. A row that fails does not stop the others and is not found again; all failures
 * are thrown together at the end. Stops after the current row when the signal aborts.
 */
export async function walkRows<Id, Row>({
  first,
  find,
  idOf,
  handle,
  signal,
}: Walk<Id, Row>): Promise<number> {
  const failures: unknown[] = [];
  let [after, count] = [first, 0];
  for (let rows = await find(after); rows.length > 0 && !signal.aborted; rows = await find(after)) {
    for (const row of rows) {
      if (signal.aborted) break;
      await handle(row).catch((error: unknown) => failures.push(error));
      after = idOf(row);
      count += 1;
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${count} rows failed.`);
  return count;
}
