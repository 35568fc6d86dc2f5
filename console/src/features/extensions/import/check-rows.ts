import { api, unwrap } from '../../../api/client.ts';
import { isProblem } from '../../../api/problem.ts';
import { toBatches } from '../../../shared/csv/batches.ts';
import type { Extension } from '../queries.ts';
import { type Column, columns, type Row, toRequestBody } from './read-rows.ts';

export interface CellFault {
  row: Row;
  column: Column;
  code: string;
  message: string;
}

export const batchesOf = (rows: Row[]): Row[][] => toBatches(rows, toRequestBody);

/** Validates rows with a dry run of the API. Finds duplicate numbers here, because they may be in different batches. */
export async function checkRows(rows: Row[]): Promise<CellFault[]> {
  const duplicates = findDuplicates(rows);
  const faults: CellFault[] = [];
  for (const batch of batchesOf(rows)) faults.push(...(await checkBatch(batch)));
  const reported = new Set(faults.filter(({ column }) => column === 'ramal').map(({ row }) => row));
  return [...faults, ...duplicates.filter(({ row }) => !reported.has(row))].sort(
    (a, b) => a.row.line - b.row.line,
  );
}

async function checkBatch(batch: Row[]): Promise<CellFault[]> {
  try {
    await unwrap(
      api.POST('/extensions/bulk', { body: { extensions: batch.map(toRequestBody), dryRun: true } }),
    );
    return [];
  } catch (error) {
    if (!isProblem(error) || error.faults.length === 0) throw error;
    return error.faults.flatMap(({ path, code, message }) => {
      const [, index = '', name] = path.split('.');
      const row = batch[Number(index)];
      const column = columns.find((each) => each === name);
      if (!row || !column) return [];
      return [{ row, column, code: row.cells[column] === '' ? 'required' : code, message }];
    });
  }
}

function findDuplicates(rows: Row[]): CellFault[] {
  const seen = new Set<string>();
  return rows.flatMap((row) => {
    const { ramal } = row.cells;
    const isTaken = seen.has(ramal);
    seen.add(ramal);
    return isTaken ? [{ row, column: 'ramal' as const, code: 'duplicate', message: ramal }] : [];
  });
}

/** Imports batch by batch. Reports the count after each one, because batches before a failed one are kept. */
export async function importRows(rows: Row[], onCount: (count: number) => void): Promise<Extension[]> {
  const created: Extension[] = [];
  for (const batch of batchesOf(rows)) {
    created.push(
      ...(await unwrap(api.POST('/extensions/bulk', { body: { extensions: batch.map(toRequestBody) } }))),
    );
    onCount(created.length);
  }
  return created;
}
