import { inAccount } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { isUuid } from '../../../platform/ids.ts';
import { allowsScope } from '../../../platform/scopes.ts';
import { recordedCalls, recordingUrl } from '../../recordings/index.ts';
import { findCallDetails } from './call-details.store.ts';
import { presentDetails } from './call-details.ts';
import { findCall } from './call-list.store.ts';
import { type Includes, presentCall } from './call-record.ts';
import type { ReadCallDeps, Reader } from './list-calls.ts';

/** Returns one call with its timeline and details. */
export async function readCall(deps: ReadCallDeps, { accountId, scopes }: Reader, id: string) {
  if (!isUuid(id)) throw notFound();
  return await inAccount(deps.db, accountId, async (tx) => {
    const call = await findCall(tx, accountId, id);
    if (!call) throw notFound();
    const mayListen = allowsScope(scopes, 'recordings');
    const isLinked =
      call.recorded && mayListen && (await recordedCalls(tx, accountId, [call.id])).has(call.id);
    const timeline = call.timeline as NonNullable<Includes['timeline']>;
    const details = presentDetails(await findCallDetails(tx, accountId, call.id));
    return { ...presentCall(call, isLinked ? recordingUrl(deps, call.id) : null), timeline, ...details };
  });
}
