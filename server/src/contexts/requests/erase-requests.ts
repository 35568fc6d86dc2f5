import type { Tx } from '../../platform/db/database.ts';
import { mentionOf, type Person } from '../../platform/erased.ts';
import { deleteRequestsOf } from './erasure.store.ts';

/** Erases a person from the request log; returns the number of deleted requests. */
export const eraseRequests = (
  tx: Tx,
  accountId: number,
  person: Person,
  userUuids: string[],
): Promise<number> => deleteRequestsOf(tx, accountId, { userUuids, mention: mentionOf(person) });
