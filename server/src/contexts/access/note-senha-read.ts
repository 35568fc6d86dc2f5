import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/db/database.ts';
import { secondsAfter } from '../../platform/time.ts';
import { recordChangeBy } from '../audit/index.ts';
import { claimSenhaNote } from './token.store.ts';

/** Programs that synchronise extensions read them often; one entry per hour shows as much. */
const noteEverySeconds = 3600;

/** Records that a token of an ADMIN, other than a console session, has read SIP passwords. */
export async function noteSenhaRead(tx: Tx, caller: Caller, at: Date): Promise<void> {
  if (caller.role !== 'ADMIN' || caller.isConsoleSession) return;
  const prefix = await claimSenhaNote(tx, caller, at, secondsAfter(at, -noteEverySeconds));
  if (prefix === undefined) return;
  await recordChangeBy(tx, caller, {
    at,
    action: 'extension.read-passwords',
    target: { type: 'token', id: prefix },
  });
}
