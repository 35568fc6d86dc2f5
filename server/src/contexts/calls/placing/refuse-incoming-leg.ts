import { type Database, inAccount } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/errors.ts';
import { findBook } from '../../billing/index.ts';
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

/** Refuses a call of a test account on a node whose free slots are reserved for live accounts. The edge tries another node. */
export async function refuseTestAccount({ db }: { db: Database }, accountId: number): Promise<void> {
  const book = await inAccount(db, accountId, (tx) => findBook(tx, accountId));
  if (book === 'test')
    throw new Refusal(
      'SERVICE_UNAVAILABLE',
      'The free slots of this media node are reserved for live accounts.',
    );
}
