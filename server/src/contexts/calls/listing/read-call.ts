import { inAccount, type Tx } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Viewer } from '../../../platform/visibility.ts';
import { recordingUrl } from '../../recordings/index.ts';
import { findContact } from '../contacts/contact.store.ts';
import type { Contact } from '../contacts/contact.ts';
import { noNote } from '../notes/note.rules.ts';
import { findNotes } from '../notes/note.store.ts';
import { findCallDetails } from './call-details.store.ts';
import { presentDetails } from './call-details.ts';
import { findCall, type ListedCall } from './call-list.store.ts';
import { type Includes, presentCall } from './call-record.ts';
import { linkedCalls, type ReadCallDeps } from './list-calls.ts';

/** Returns one call with its timeline and details. A call that the viewer does not see is not found. */
export async function readCall(deps: ReadCallDeps, viewer: Viewer, id: string) {
  const { accountId, uuid } = viewer;
  if (!isUuid(id)) throw notFound();
  return await inAccount(deps.db, accountId, async (tx) => {
    const call = await findCall(tx, viewer, id);
    if (!call) throw notFound();
    const isLinked = (await linkedCalls(tx, viewer, [call])).has(call.id);
    const timeline = call.timeline as NonNullable<Includes['timeline']>;
    const contact = await findContactOfCall(tx, accountId, call);
    const details = presentDetails(await findCallDetails(tx, accountId, call.id), contact);
    const notes = await findNotes(tx, accountId, [call.id]);
    return {
      ...presentCall(call, {
        recordUrl: isLinked ? recordingUrl(deps, call.id, uuid) : null,
        note: notes.get(call.id) ?? noNote,
      }),
      timeline,
      ...details,
    };
  });
}

/** Returns the contact of the other party. Who sees the call sees the contacts of its numbers. */
async function findContactOfCall(
  tx: Tx,
  accountId: number,
  { call_type, from, to }: ListedCall,
): Promise<Contact | undefined> {
  if (call_type === 'internal') return undefined;
  return await findContact(tx, accountId, undefined, { number: call_type === 'inbound' ? from : to });
}
