import type { Readable } from 'node:stream';
import { type CsvFormat, csvHeader, csvLine } from '../../../platform/csv.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { findTimeZone, parseFilter, type Query } from '../../../platform/filter/index.ts';
import type { Viewer } from '../../../platform/visibility.ts';
import { findBudget } from '../../limits/index.ts';
import type { ListedCall } from './call-list.store.ts';
import { exportList } from './call-list.ts';
import { type CallRecord, callRecord } from './call-record.ts';
import { excelCells, excelColumns, excelTitles, type Links } from './excel-calls.ts';
import type { ExportSlots } from './export-slots.ts';
import { streamFile } from './export-stream.ts';
import {
  ofViewer,
  parseSearch,
  presentPage,
  type ReadCallDeps,
  readSlice,
  type Search,
} from './list-calls.ts';

/** Rows held in memory at a time. Other requests wait while they are read and written. */
const rowsPerStep = 200;

export interface ExportDeps extends ReadCallDeps {
  /** Separate connections: an export of many calls runs for minutes. */
  exportDb: Database;
}

interface Step {
  calls: ListedCall[];
  data: Partial<CallRecord>[];
  nextCursor: string | undefined;
}

const defaultLinks: Record<CsvFormat, Links> = { standard: 'signed', 'excel-br': 'console' };

interface AskedExport {
  q?: string | undefined;
  filter?: string | undefined;
  format?: CsvFormat | undefined;
  links?: Links | undefined;
}

/**
 * Streams all calls that match a filter as CSV, step by step under back-pressure. The first step runs before anything is
 * sent, so that a refusal is still an HTTP error. If a later step fails, the connection is aborted, because a truncated
 * file would look complete.
 */
export async function exportCalls(
  deps: ExportDeps,
  slots: ExportSlots,
  viewer: Viewer,
  { q, filter, format = 'standard', links = defaultLinks[format] }: AskedExport,
): Promise<Readable> {
  const { accountId, userId } = viewer;
  const asked = parseFilter(exportList, filter);
  const search = parseSearch(q);
  const most = await inAccount(deps.db, accountId, (tx) => findBudget(tx, accountId, 'exports'));
  const free = slots.take({ accountId, userId }, most);
  try {
    const { query, timeZone } = await inAccount(deps.exportDb, accountId, async (tx) => ({
      query: ofViewer(viewer, await asked.forAccount(tx, accountId)),
      timeZone: await findTimeZone(tx, accountId),
    }));
    const read = async (count: number, cursor?: string): Promise<Step> => {
      await slots.turn(count);
      return await readStep(deps, viewer, { query: { ...query, limit: count }, search }, cursor);
    };
    const first = await read(Math.min(rowsPerStep, query.limit));
    const linkOf = (id: string): string | undefined =>
      links === 'console' ? `${deps.publicUrl}/calls/${id}` : undefined;
    const sheet = sheetOf({ format, links }, query.fields as (keyof CallRecord)[] | undefined, timeZone);
    return streamFile(csvOf(query, first, read, { ...sheet, linkOf }), free);
  } catch (error) {
    free();
    throw error;
  }
}

async function* csvOf(
  query: Query,
  first: Step,
  read: (count: number, cursor: string) => Promise<Step>,
  { header, line, linkOf }: Sheet & { linkOf: (id: string) => string | undefined },
): AsyncGenerator<string> {
  const linesOf = ({ calls, data }: Step): string =>
    data
      .map((record, i) => {
        const link = record.record_url && linkOf(calls[i]?.id ?? '');
        return line(link ? { ...record, record_url: link } : record);
      })
      .join('');
  let step = first;
  let remaining = query.limit - step.data.length;
  yield header + linesOf(step);
  while (step.nextCursor !== undefined && remaining > 0) {
    step = await read(Math.min(rowsPerStep, remaining), step.nextCursor);
    remaining -= step.data.length;
    yield linesOf(step);
  }
}

interface Sheet {
  header: string;
  line: (record: Partial<CallRecord>) => string;
}

/** How the columns are written; without `fields`, all of them. */
function sheetOf(
  { format, links }: { format: CsvFormat; links: Links },
  fields: (keyof CallRecord)[] | undefined,
  timeZone: string,
): Sheet {
  if (format === 'excel-br') {
    const columns = fields ?? excelColumns;
    return {
      header: csvHeader(excelTitles(columns, links), format),
      line: (record) => csvLine(excelCells(columns, record, timeZone), format),
    };
  }
  const columns = fields ?? (Object.keys(callRecord.shape) as (keyof CallRecord)[]);
  return {
    header: csvHeader(columns),
    line: (record) => csvLine(columns.map((column) => asCell(record[column]))),
  };
}

const asCell = (value: CallRecord[keyof CallRecord] | undefined) => {
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
};

async function readStep(
  deps: ExportDeps,
  viewer: Viewer,
  asked: { query: Query; search: Search | undefined },
  cursor: string | undefined,
): Promise<Step> {
  return await inAccount(deps.exportDb, viewer.accountId, async (tx) => {
    const { rows, meta } = await readSlice(tx, viewer, exportList, asked, cursor);
    const data = await presentPage(deps, tx, viewer, asked.query, rows);
    return { calls: rows, data, nextCursor: meta.nextCursor };
  });
}
