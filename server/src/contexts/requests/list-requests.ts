import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { errorCodes } from '../../platform/errors.ts';
import { defineList, fetchCursorPage, parseFilter, pickFields } from '../../platform/filter/index.ts';
import type { CursorQuery } from '../../platform/list-schemas.ts';
import type { Clock } from '../../platform/time.ts';
import { countUnlisted, selectRequests } from './request.store.ts';

const requests = defineList({
  name: 'requests',
  fields: {
    id: { type: 'uuid', sortable: true },
    // The id is a UUIDv7 of exactly this time.
    at: { type: 'timestamp', aliases: ['date'], sortable: true, sortColumn: 'id', clockSkewMs: 0 },
    userUuid: { type: 'uuid', column: 'user_uuid' },
    method: { type: 'text' },
    route: { type: 'text', nullable: true },
    status: { type: 'integer' },
    errorCode: { type: 'enum', column: 'error_code', values: errorCodes, nullable: true },
    invalidFields: { type: 'text', column: 'invalid_fields', nullable: true },
    ignoredFields: { type: 'text', column: 'ignored_fields', nullable: true },
    requestId: { type: 'text', column: 'request_id' },
    tokenName: { type: 'text', column: 'token_name', nullable: true },
    address: { type: 'text' },
    durationMs: { type: 'integer', column: 'duration_ms' },
  },
  defaultOrder: ['at DESC'],
  tieBreaker: 'id',
  maxLimit: 100,
  // Rows are small and written in the order of the list.
  scan: { walkRows: 10_000, seekRows: 600, seeks: ['requestId', 'userUuid', 'errorCode'] },
});

export interface ListRequestsDeps {
  db: Database;
  clock: Clock;
}

/** Fetches one page of the recorded requests, newest first. ADMINs see all of the account, USERs their own. */
export async function listRequests(
  deps: ListRequestsDeps,
  { accountId, role, uuid }: Pick<Caller, 'accountId' | 'role' | 'uuid'>,
  { filter, cursor }: CursorQuery,
) {
  const asked = parseFilter(requests, filter);
  const now = deps.clock.now();
  return await inAccount(deps.db, accountId, async (tx) => {
    const query = await asked.forAccount(tx, accountId);
    const source = selectRequests(tx, { accountId, userUuid: role === 'ADMIN' ? undefined : uuid }, now);
    const { rows, meta } = await fetchCursorPage(tx, requests, source, query, cursor);
    const unlistedCount = await countUnlisted(tx, accountId, now);
    const data = rows.map((row) => pickFields(query, present(row)));
    return { data, meta: { ...meta, unlistedCount } };
  });
}

type Row = Awaited<ReturnType<ReturnType<typeof selectRequests>['execute']>>[number];

const present = (row: Row) => ({
  id: row.id,
  at: row.at.toISOString(),
  userUuid: row.user_uuid,
  method: row.method,
  route: row.route,
  status: row.status,
  errorCode: row.error_code,
  invalidFields: namesOf(row.invalid_fields),
  ignoredFields: namesOf(row.ignored_fields),
  requestId: row.request_id,
  tokenName: row.token_name,
  address: row.address,
  durationMs: row.duration_ms,
});

const namesOf = (json: string | null): string[] | null =>
  json === null ? null : (JSON.parse(json) as string[]);
