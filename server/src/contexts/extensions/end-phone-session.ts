import type { Caller } from '../../platform/caller.ts';
import { inAccount } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { isUuid } from '../../platform/ids.ts';
import { recordChangeBy } from '../audit/index.ts';
import { lockOwnPhone } from './open-phone-session.ts';
import { endSession } from './phone-session.store.ts';
import { auditView, type PhoneSessionDeps } from './phone-session.ts';

/** Ends a phone session and its registration, unless the registration belongs to a newer login. */
export async function endPhoneSession(
  deps: PhoneSessionDeps,
  caller: Caller,
  extensionId: number,
  sessionId: string,
): Promise<void> {
  const { accountId } = caller;
  const at = deps.clock.now();
  await inAccount(deps.db, accountId, async (tx) => {
    await lockOwnPhone(tx, caller, extensionId);
    const ended = isUuid(sessionId)
      ? await endSession(tx, { id: extensionId, accountId }, sessionId, at)
      : undefined;
    if (!ended) throw notFound();
    await recordChangeBy(tx, caller, {
      at,
      action: 'phoneSession.end',
      target: { type: 'extension', id: String(extensionId) },
      before: auditView(ended),
    });
  });
}
