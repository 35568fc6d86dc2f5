import type { Readable } from 'node:stream';
import { csvLine } from '../../../platform/csv.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { parseFilter, type Query } from '../../../platform/filter/index.ts';
import type { Viewer } from '../../../platform/visibility.ts';
import { findBudget } from '../../limits/index.ts';
import { exportList } from './call-list.ts';
import { type CallRecord, callRecord } from './call-record.ts';
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
  data: Partial<CallRecord>[];
  nextCursor: string | undefined;
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
  { q, filter }: { q?: string | undefined; filter?: string | undefined },
): Promise<Readable> {
  const { accountId, userId } = viewer;
  const asked = parseFilter(exportList, filter);
  const search = parseSearch(q);
  const most = await inAccount(deps.db, accountId, (tx) => findBudget(tx, accountId, 'exports'));
  const free = slots.take({ accountId, userId }, most);
  try {
    const query = await inAccount(deps.exportDb, accountId, async (tx) =>
      ofViewer(viewer, await asked.forAccount(tx, accountId)),
    );
    const read = async (count: number, cursor?: string): Promise<Step> => {
      await slots.turn(count);
      return await readStep(deps, viewer, { query: { ...query, limit: count }, search }, cursor);
    };
    const first = await read(Math.min(rowsPerStep, query.limit));
    return streamFile(csvOf(query, first, read), free);
  } catch (error) {
    free();
    throw error;
  }
}

async function* csvOf(
  query: Query,
  first: Step,
  read: (count: number, cursor: string) => Promise<Step>,
): AsyncGenerator<string> {
  const columns = query.fields ?? Object.keys(callRecord.shape);
  let step = first;
  let remaining = query.limit - step.data.length;
  yield csvLine(columns) + linesOf(columns, step.data);
  while (step.nextCursor !== undefined && remaining > 0) {
    step = await read(Math.min(rowsPerStep, remaining), step.nextCursor);
    remaining -= step.data.length;
    yield linesOf(columns, step.data);
  }
}

const linesOf = (columns: string[], records: Partial<CallRecord>[]): string =>
  records
    .map((record) => {
      const values = new Map(Object.entries(record));
      return csvLine(columns.map((column) => asCell(values.get(column))));
    })
    .join('');

const asCell = (value: CallRecord[keyof CallRecord] | undefined) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

async function readStep(
  deps: ExportDeps,
  viewer: Viewer,
  asked: { query: Query; search: Search | undefined },
  cursor: string | undefined,
): Promise<Step> {
  return await inAccount(deps.exportDb, viewer.accountId, async (tx) => {
    const { rows, meta } = await readSlice(tx, viewer, exportList, asked, cursor);
    return { data: await presentPage(deps, tx, viewer, asked.query, rows), nextCursor: meta.nextCursor };
  });
}
