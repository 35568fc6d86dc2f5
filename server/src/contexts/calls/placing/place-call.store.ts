import type { Database, Tx } from '../../../platform/db/database.ts';
import { executePrepared, prepared, queryPrepared, type Statement } from '../../../platform/db/prepared.ts';
import type { Book, UnfundedReason } from '../../billing/index.ts';
import { refuseDuplicate } from '../call.store.ts';
import type { CallOrder } from '../call.ts';

/** The parameters of `place_call`, by their names there. */
export type PlaceRequest = Record<string, unknown> & { id: string; at: Date };

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
        | 'destination'
        | 'caller'
        | 'registration'
        | 'concurrency';
    };

/** Places the call, or decides why not, in one statement and its own transaction. */
export const placeAlone = async (
  db: Database,
  accountId: number,
  request: PlaceRequest,
): Promise<Placed | Unplaced> =>
  onlyRow(await queryPrepared(db, placeStatement(accountId, request)).catch(refuseDuplicate));

/** Like `placeAlone`, in a transaction of the account. */
export const placeIn = async (tx: Tx, accountId: number, request: PlaceRequest): Promise<Placed | Unplaced> =>
  onlyRow(await executePrepared(tx, placeStatement(accountId, request)).catch(refuseDuplicate));

/** Sets the account before it calls the function, because row-level security applies to it. */
const placeStatement = (accountId: number, request: PlaceRequest): Statement<Placed | Unplaced> =>
  prepared<Placed | Unplaced>`
    select outcome, book, funded_seconds as "fundedSeconds", order_data as "order", bina,
           available_micros as "availableMicros", became_low as "becameLow", calls_per_second as "callsPerSecond"
      from set_config('app.account_id', ${String(accountId)}, true) as entered,
           place_call(entered::bigint, ${JSON.stringify(request)})`;

function onlyRow<Row>([row]: Row[]): Row {
  if (!row) throw new Error('place_call returned no row.');
  return row;
}
