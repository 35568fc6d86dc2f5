import type { Caller } from '../../../platform/caller.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { notFound, Refusal } from '../../../platform/errors.ts';
import { isUuid } from '../../../platform/ids.ts';
import { callsFollowedBy, callsSeenBy } from '../../../platform/visibility.ts';
import { findCallId, type NamedCall } from '../call.store.ts';

/**
 * Returns a call that the caller may end and control: an own one, or any call of the account for a supervisor. Refuses one
 * that the caller only sees, and does not find any other.
 */
export async function findControllable(tx: Tx, caller: Caller, id: string): Promise<NamedCall> {
  if (!isUuid(id)) throw notFound();
  const call = await findCallId(tx, caller.accountId, id);
  const isOwn = call?.belongsTo.includes(caller.userId) === true;
  if (!call || (!isOwn && callsSeenBy(caller) !== undefined)) throw notFound();
  if (!isOwn && callsFollowedBy(caller) !== undefined) {
    throw new Refusal('ACCESS_DENIED', 'This call belongs to another user.');
  }
  return call;
}
