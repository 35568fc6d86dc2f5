import type { Origin } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import { recordEvent } from '../../platform/outbox.ts';
import type { Clock } from '../../platform/time.ts';
import { findUserAccount, signAddressProof } from '../access/index.ts';
import { recordChange } from '../audit/index.ts';
import { openConfirmationLink, verifyEmail } from '../users/index.ts';
import { activateAccount } from './account.store.ts';
import { awaitsProofBy } from './prove-address.ts';

export interface ConfirmEmailDeps {
  db: Database;
  clock: Clock;
  keyRing: KeyRing;
}

export interface Confirmation {
  outcome: 'confirmed' | 'expired' | 'invalid';
  /** For the login page, if a login there proves the address of the account. */
  proof?: string;
}

/** Handles the e-mailed link: verifies the address and activates a new account. */
export async function confirmEmail(
  deps: ConfirmEmailDeps,
  token: string,
  origin: Origin,
): Promise<Confirmation> {
  const link = openConfirmationLink(deps, token);
  if (link.state !== 'valid') return { outcome: link.state };
  const accountId = await findUserAccount(deps.db, link.userUuid);
  if (accountId === undefined) return { outcome: 'invalid' };
  const at = deps.clock.now();
  return await inAccount(deps.db, accountId, async (tx) => {
    const verified = await verifyEmail(tx, accountId, link, at);
    if (!verified) return { outcome: 'invalid' };
    const { user, isNew } = verified;
    const change = { accountId, at, actor: user, origin, target: { type: 'user', id: user.uuid } };
    if (isNew) {
      await recordChange(tx, {
        ...change,
        action: 'user.confirm-email',
        before: { emailVerified: false },
        after: { emailVerified: true },
      });
    }
    if (await activateAccount(tx, accountId, at)) {
      await recordEvent(tx, {
        accountId,
        type: 'account-activated',
        subjectId: user.uuid,
        data: {},
        occurredAt: at,
      });
      await recordChange(tx, { ...change, action: 'account.activate' });
    }
    const isAwaited = await awaitsProofBy(tx, { accountId, uuid: user.uuid });
    return { outcome: 'confirmed', ...(isAwaited ? { proof: signAddressProof(deps, user) } : {}) };
  });
}
