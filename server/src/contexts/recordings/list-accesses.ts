import { type Database, inAccount } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { defineList, fetchPageOrCursor, parseFilter, pickFields } from '../../platform/filter/index.ts';
import { isUuid } from '../../platform/ids.ts';
import type { PageQuery } from '../../platform/list-schemas.ts';
import { findNames, selectAccesses } from './access.store.ts';
import { findRecording } from './recording.store.ts';

export const outcomes = ['whole', 'part', 'unsatisfiable', 'not-ready'] as const;
const methods = ['GET', 'HEAD'] as const;

const accesses = defineList({
  name: 'recording-accesses',
  fields: {
    id: { type: 'uuid', sortable: true },
    at: { type: 'timestamp', sortable: true, aliases: ['date'] },
    issuedTo: { type: 'uuid', column: 'issued_to', nullable: true },
    address: { type: 'text' },
    method: { type: 'enum', values: methods },
    outcome: { type: 'enum', values: outcomes },
    rangeStart: { type: 'integer', column: 'range_start', nullable: true },
    bytes: { type: 'integer' },
  },
  defaultOrder: ['at DESC', 'id DESC'],
  tieBreaker: 'id',
  maxLimit: 100,
});

/** Returns one page of the accesses to a call's recording, newest first, including removed recordings. */
export async function listAccesses(
  deps: { db: Database },
  accountId: number,
  callId: string,
  { filter, page, cursor }: PageQuery,
) {
  if (!isUuid(callId)) throw notFound();
  const asked = parseFilter(accesses, filter);
  return await inAccount(deps.db, accountId, async (tx) => {
    const query = await asked.forAccount(tx, accountId);
    if (!(await findRecording(tx, accountId, callId))) throw notFound();
    const source = selectAccesses(tx, accountId, callId);
    const result = await fetchPageOrCursor(tx, accesses, source, query, { page, cursor });
    const issuedTo = result.rows.flatMap((row) => row.issued_to ?? []);
    const names = await findNames(tx, accountId, [...new Set(issuedTo)]);
    const data = result.rows.map((row) =>
      pickFields(query, {
        id: row.id,
        at: row.at.toISOString(),
        issuedTo: row.issued_to,
        issuedToName: names.get(row.issued_to ?? '') ?? null,
        address: row.address,
        method: row.method as (typeof methods)[number],
        outcome: row.outcome as (typeof outcomes)[number],
        rangeStart: row.range_start,
        bytes: row.bytes,
      }),
    );
    return { ...result, data };
  });
}
