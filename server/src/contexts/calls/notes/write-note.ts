import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { invalid, notFound, Refusal } from '../../../platform/errors.ts';
import { isUuid } from '../../../platform/ids.ts';
import { recordEvent } from '../../../platform/outbox.ts';
import type { Clock } from '../../../platform/time.ts';
import { callsFollowedBy, callsSeenBy } from '../../../platform/visibility.ts';
import { recordChangeBy } from '../../audit/index.ts';
import type { CallNote } from './note.rules.ts';
import { faultOfDisposition, isSame, tidy } from './note.rules.ts';
import { findDispositions, findNote, lockNotedCall, saveNote } from './note.store.ts';

export interface NoteDeps {
  db: Database;
  clock: Clock;
}

/** Sets disposition, note and tags of a call. The same values again change nothing and publish no event. */
export async function writeNote(
  { db, clock }: NoteDeps,
  caller: Caller,
  id: string,
  given: CallNote,
): Promise<CallNote> {
  if (!isUuid(id)) throw notFound();
  const { accountId, userId } = caller;
  return await inAccount(db, accountId, async (tx) => {
    const call = await lockNotedCall(tx, accountId, id);
    const isOwn = call?.belongsTo.includes(userId) === true;
    if (!call || (!isOwn && callsSeenBy(caller) !== undefined)) throw notFound();
    if (!isOwn && callsFollowedBy(caller) !== undefined) {
      throw new Refusal('ACCESS_DENIED', 'This call belongs to another user.');
    }
    const before = await findNote(tx, accountId, call.id);
    const note = tidy(given);
    const fault = faultOfDisposition(note, before, await findDispositions(tx, accountId));
    if (fault) throw invalid(fault);
    if (isSame(note, before)) return note;
    const at = clock.now();
    await saveNote(tx, { accountId, id: call.id }, note, { userId, at });
    await publish(tx, caller, call.id, { before, note, at });
    return note;
  });
}

/** The audit log has the disposition only: notes and tags are free text, which can be erased only where calls keep it. */
async function publish(
  tx: Tx,
  caller: Caller,
  callId: string,
  { before, note, at }: { before: CallNote; note: CallNote; at: Date },
): Promise<void> {
  await recordChangeBy(tx, caller, {
    at,
    action: 'call.note',
    target: { type: 'call', id: callId },
    before: { disposition: before.disposition },
    after: { disposition: note.disposition },
  });
  await recordEvent(tx, {
    accountId: caller.accountId,
    type: 'call-updated',
    subjectId: callId,
    data: {},
    occurredAt: at,
  });
}
