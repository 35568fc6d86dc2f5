import type { Database } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/errors.ts';
import type { Lease } from '../call.ts';
import { mayTakeCalls } from './incoming-leg.store.ts';

/**
 * Returns the refusal to send. A lookup is also empty if the node must not accept calls; then the edge has to try
 * another node.
 */
export const refusalBy = async (
  { db }: { db: Database },
  lease: Lease,
  refusal: Refusal,
): Promise<Refusal> =>
  (await mayTakeCalls(db, lease))
    ? refusal
    : new Refusal('SERVICE_UNAVAILABLE', 'This media node does not accept calls.');
