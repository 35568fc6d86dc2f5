import { api, unwrap } from '../../../api/client.ts';
import { isProblem } from '../../../api/problem.ts';
import type { Extension } from '../queries.ts';
import { bodyOf, type Column, columns, type Row } from './read-rows.ts';

export interface CellFault {
  row: Row;
  column: Column;
  code: string;
  message: string;
}

const mostRowsInPart = 500;
/** Requests are limited to 64 kB; the rest is for the JSON around the rows. */
const mostBytesInPart = 60_000;

/** Splits rows into batches that fit into one request. */
export function partsOf(rows: Row[]): Row[][] {
  const parts: Row[][] = [];
  let part: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = new TextEncoder().encode(JSON.stringify(bodyOf(row))).length + 1;
    if (part.length === mostRowsInPart || bytes + size > mostBytesInPart) {
      parts.push(part);
      [part, bytes] = [[], 0];
    }
    part.push(row);
    bytes += size;
  }
  return part.length > 0 ? [...parts, part] : parts;
}

/** Validates rows with a dry run of the API. Finds duplicate numbers here, because they may be in different batches. */
export async function checkRows(rows: Row[]): Promise<CellFault[]> {
  const twice = repeated(rows);
  const faults: CellFault[] = [];
  for (const part of partsOf(rows)) faults.push(...(await checkPart(part)));
  const known = new Set(faults.filter(({ column }) => column === 'ramal').map(({ row }) => row));
  return [...faults, ...twice.filter(({ row }) => !known.has(row))].sort((a, b) => a.row.line - b.row.line);
}

async function checkPart(part: Row[]): Promise<CellFault[]> {
  try {
    await unwrap(api.POST('/extensions/bulk', { body: { extensions: part.map(bodyOf), dryRun: true } }));
    return [];
  } catch (error) {
    if (!isProblem(error) || error.faults.length === 0) throw error;
    return error.faults.flatMap(({ path, code, message }) => {
      const [, place = '', name] = path.split('.');
      const row = part[Number(place)];
      const column = columns.find((each) => each === name);
      if (!row || !column) return [];
      return [{ row, column, code: row.cells[column] === '' ? 'required' : code, message }];
    });
  }
}

function repeated(rows: Row[]): CellFault[] {
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
  const made: Extension[] = [];
  for (const part of partsOf(rows)) {
    made.push(...(await unwrap(api.POST('/extensions/bulk', { body: { extensions: part.map(bodyOf) } }))));
    onCount(made.length);
  }
  return made;
}
