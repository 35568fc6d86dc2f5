import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sealedSize } from '../../../src/platform/sealed-frames.ts';
import type { HostCell } from '../../harness/hosts/cell.ts';
import { objectsIn } from '../../harness/hosts/cell-storage.ts';
import { until } from '../../harness/until.ts';
import type { CallRecord } from '../chaos/records.ts';
import type { Line } from '../many-nodes/line.ts';

/** Longer than the shipper waits for an unfinished file and between attempts after a short outage. */
const uploadMs = 120_000;
/** Of calls that a lost media node carried: their files may not exist. */
const leftUploadMs = 45_000;
const pollMs = 500;

interface StoredRecording {
  callId: string;
  state: string;
  bytes: number | null;
  objectKey: string;
}

/**
 * Waits until the recordings of all answered calls are stored. Returns their number and those that are not. Calls of a
 * lost media host have a recording only if the node had begun to write it.
 */
export async function checkRecordings(
  cell: HostCell,
  records: CallRecord[],
  wasCarried: (record: CallRecord) => boolean,
): Promise<{ stored: number; faults: string[] }> {
  const answered = records.filter(({ answeredAtMs }) => answeredAtMs !== null);
  const startedAtMs = Date.now();
  for (;;) {
    const found = await readRecordings(cell, answered);
    const missing = answered.filter(({ id }) => found.get(id)?.state !== 'stored');
    const tookMs = Date.now() - startedAtMs;
    const limitMs = missing.every(wasCarried) ? leftUploadMs : uploadMs;
    if (missing.length > 0 && tookMs < limitMs) {
      await sleep(pollMs);
      continue;
    }
    const stored = answered.length - missing.length;
    const lost = missing.filter((record) => !wasCarried(record));
    return {
      stored,
      faults: [
        ...lost.map(({ id }) => `${id}: its recording is ${found.get(id)?.state ?? 'not expected'}`),
        ...[...found.values()].flatMap((recording) => checkObject(cell, recording)),
      ],
    };
  }
}

async function readRecordings({ query }: HostCell, of: CallRecord[]): Promise<Map<string, StoredRecording>> {
  const rows = await query(
    `select call_id as "callId", state, bytes::int as bytes, object_key as "objectKey"
       from recordings where call_id = any($1::uuid[])`,
    [of.map(({ id }) => id)],
  );
  return new Map(rows.map((row) => [row.callId, row as StoredRecording]));
}

/** Compares a stored recording with its object on the disk of the storage host. */
function checkObject({ folderOf }: HostCell, { callId, state, bytes, objectKey }: StoredRecording): string[] {
  if (state !== 'stored') return [];
  const path = join(objectsIn(folderOf({ name: 'store1' })), 'objects/recordings', objectKey);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  const expected = sealedSize(bytes ?? 0);
  return size === expected ? [] : [`${callId}: its object has ${size} instead of ${expected} bytes`];
}

/** Waits until a recording of these lines is stored, so that there is one whose link can be opened during the loss. */
export async function untilStored({ query }: HostCell, lines: Line[]): Promise<void> {
  const accounts = [...new Set(lines.map(({ customer }) => customer.id))];
  const stored = `select 1 from recordings where state = 'stored' and account_id = any($1) limit 1`;
  await until(async () => (await query(stored, [accounts])).length > 0, 'a recording is stored');
}

/** While the object store is down, links to stored recordings return 503, and those to later ones 404. */
export async function checkLinks({ query }: HostCell, lines: Line[]): Promise<string[]> {
  const customers = new Map(lines.map(({ customer }) => [customer.id, customer]));
  const expected = { stored: 503, expected: 404 };
  const faults: string[] = [];
  for (const [state, status] of Object.entries(expected)) {
    const [row] = await query(
      `select r.account_id, r.call_id from recordings r
        where r.state = $1 and r.account_id = any($2) order by r.call_id desc limit 1`,
      [state, [...customers.keys()]],
    );
    if (!row) {
      faults.push(`no recording is ${state} while the object store is down`);
      continue;
    }
    const call = await customers.get(Number(row.account_id))?.ask('GET', `/calls/${row.call_id}`);
    const response = await fetch(call?.json?.record_url);
    await response.body?.cancel();
    if (response.status !== status || !response.headers.get('retry-after'))
      faults.push(`the link to a recording that is ${state} returned ${response.status}`);
  }
  return faults;
}

/** Checks that the WAL written while the object store was down is archived. */
export async function checkArchive({ query }: HostCell): Promise<string[]> {
  const [row] = await query(`select pg_walfile_name(pg_switch_wal()) as segment`);
  const segment = String(row?.segment);
  const isArchived = async (): Promise<boolean> => {
    const [archiver] = await query('select last_archived_wal as archived from pg_stat_archiver');
    return archiver?.archived >= segment;
  };
  return await until(isArchived, `${segment} is archived`).then(
    () => [],
    (error: Error) => [error.message],
  );
}
