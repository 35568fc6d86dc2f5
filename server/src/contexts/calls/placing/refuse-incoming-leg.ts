import type { Database } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/errors.ts';
import type { Lease } from '../call.ts';
import { mayTakeCalls } from './incoming-leg.store.ts';

/** Nothing is found for a node that may take no calls, either: then another one is to be asked. */
export const refusalBy = async (
  { db }: { db: Database },
  lease: Lease,
  refusal: Refusal,
): Promise<Refusal> =>
  (await mayTakeCalls(db, lease))
    ? refusal
    : new Refusal('SERVICE_UNAVAILABLE', 'This media node takes no calls.');
