import { inBatchesPerKey } from '../../../platform/batch.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { perDatabase } from '../../../platform/db/per-database.ts';
import { executePrepared, prepared, queryPreparedIn, type Statement } from '../../../platform/db/prepared.ts';
import { stillRunning } from '../../../platform/idempotency.ts';
import type { Book, UnfundedReason } from '../../billing/index.ts';
import { eventFields, refuseDuplicate } from '../call.store.ts';
import type { CallOrder } from '../call.ts';

/** The parameters of `place_call`, by their names there. */
export type PlaceRequest = Record<string, unknown> & { id: string; at: Date; key_lock?: string };

export interface Placed {
  outcome: 'placed';
  book: Book;
  fundedSeconds: number;
  order: CallOrder;
  availableMicros: number;
  becameLow: boolean;
}

export type Unplaced =
  | { outcome: 'bina'; bina: string }
  | { outcome: 'rate'; callsPerSecond: number }
  | {
      outcome:
        | UnfundedReason
        | 'key'
        | 'internal'
        | 'low'
        | 'extension'
        | 'owner'
        | 'unapproved'
        | 'suspended'
        | 'destination'
        | 'caller'
        | 'registration'
        | 'concurrency';
    };

/**
 * Places the call, or decides why not, in one statement and its own transaction. Requests of an account that arrive while
 * a call of the account is being placed are placed together by the next statement: they would otherwise wait for its
 * balance one after another, each with a connection and a commit of its own.
 */
export async function placeAlone(
  db: Database,
  accountId: number,
  request: PlaceRequest,
): Promise<Placed | Unplaced> {
  const { place, runningKeys } = placements(db);
  const { key_lock: key } = request;
  const received = { request, atMs: performance.now() };
  if (key === undefined) return await place(accountId, received);
  // The request with the same key may be in the statement for which this one would wait.
  if (runningKeys.has(key)) throw stillRunning();
  runningKeys.add(key);
  try {
    return await place(accountId, received);
  } finally {
    runningKeys.delete(key);
  }
}

/** Bounds the time for which a batch locks the account's balance. */
const maxBatch = 32;

const placements = perDatabase((db) => ({
  runningKeys: new Set<string>(),
  place: inBatchesPerKey(
    (accountId: number, received: ReceivedRequest[]) =>
      queryPreparedIn(db, accountId, () => placeStatement(accountId, received.map(delayed)), {
        // A call has its id before it is placed, so no call is placed twice.
        isRepeatable: true,
      }).catch(refuseDuplicate),
    maxBatch,
  ),
}));

interface ReceivedRequest {
  request: PlaceRequest;
  atMs: number;
}

const noticeableMs = 1_000;

/**
 * A request that was delayed, because there was no connection, counts as made when its call is placed: nodes do not
 * claim calls that were requested too long ago. A call from a phone keeps its time, because the phone does not wait.
 */
function delayed({ request, atMs }: ReceivedRequest): PlaceRequest {
  const waitedMs = performance.now() - atMs;
  if (waitedMs < noticeableMs || request.leg !== undefined) return request;
  return { ...request, ...eventFields(request.id, new Date(request.at.getTime() + waitedMs)) };
}

/** Like `placeAlone`, in a transaction of the account. */
export const placeIn = async (tx: Tx, accountId: number, request: PlaceRequest): Promise<Placed | Unplaced> =>
  onlyRow(await executePrepared(tx, placeStatement(accountId, [request])).catch(refuseDuplicate));

/** Sets the account before it calls the function, because row-level security applies to it. */
const placeStatement = (accountId: number, requests: PlaceRequest[]): Statement<Placed | Unplaced> =>
  prepared<Placed | Unplaced>`
    select outcome, book, funded_seconds as "fundedSeconds", order_data as "order", bina,
           available_micros as "availableMicros", became_low as "becameLow", calls_per_second as "callsPerSecond"
      from set_config('app.account_id', ${String(accountId)}, true) as entered,
           jsonb_array_elements(${JSON.stringify(requests)}::jsonb) with ordinality as request (value, position),
           place_call(entered::bigint, request.value)
     order by position`;

function onlyRow<Row>([row]: Row[]): Row {
  if (!row) throw new Error('place_call returned no row.');
  return row;
}
