import type { Caller } from '../../platform/caller.ts';
import { inAccount, type Tx } from '../../platform/db/database.ts';
import { invalidToken, notFound, Refusal } from '../../platform/errors.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { holdToken } from '../access/index.ts';
import { recordChangeBy } from '../audit/index.ts';
import { findBudget } from '../limits/index.ts';
import { lockAdminsFor } from '../users/index.ts';
import { storedDigest } from './digest.rules.ts';
import { findDigestUse } from './digest.store.ts';
import {
  endAllBut,
  forgetAllBut,
  insertSession,
  lockPhoneExtension,
  type PhoneExtension,
} from './phone-session.store.ts';
import {
  auditView,
  newIdentity,
  newPassword,
  type PhoneSession,
  type PhoneSessionDeps,
  relayCredentials,
} from './phone-session.ts';
import { ha1Of } from './senha.ts';

const maxLive = 5;
const maxKept = 20;

/** Issues temporary credentials for the extension. Ends the oldest sessions beyond the limit. */
export async function openPhoneSession(
  deps: PhoneSessionDeps,
  caller: Caller,
  extensionId: number,
): Promise<PhoneSession> {
  const { accountId, userId, tokenHash } = caller;
  const createdAt = deps.clock.now();
  const { lifetimeSeconds, websocketUrls, turn } = deps.phoneSessions;
  const expiresAt = new Date(createdAt.getTime() + lifetimeSeconds * 1_000);
  return await inAccount(deps.db, accountId, async (tx) => {
    const { ramal, domain } = await lockOwnPhone(tx, caller, extensionId);
    // A session must not outlive its token, which may have been revoked during the request.
    if (!(await holdToken(tx, caller, tokenHash))) throw invalidToken();
    const session = { id: uuidv7(createdAt), username: newIdentity(ramal), expiresAt };
    const password = newPassword();
    const digest = storedDigest(
      deps.digestKeys,
      await findDigestUse(tx),
      { username: session.username, domain },
      ha1Of(session.username, domain, password),
    );
    await insertSession(tx, { ...session, accountId, extensionId, userId, tokenHash, digest, createdAt });
    const extension = { id: extensionId, accountId };
    await endAllBut(tx, extension, maxLive, createdAt);
    await forgetAllBut(tx, extension, maxKept);
    await recordChangeBy(tx, caller, {
      at: createdAt,
      action: 'phoneSession.open',
      target: { type: 'extension', id: String(extensionId) },
      after: auditView(session),
    });
    const quotas = await findBudget(tx, accountId, 'relay_quotas');
    const iceServers = relayCredentials(turn, { accountId, extensionId, expiresAt }, quotas);
    return { ...session, password, domain, ramal, websocketUrls, iceServers };
  });
}

/** Locks an extension that the caller may use: any of the account for an ADMIN, only their own for a USER. */
export async function lockOwnPhone(tx: Tx, caller: Caller, extensionId: number): Promise<PhoneExtension> {
  if (caller.role === 'ADMIN') await lockAdminsFor(tx, caller);
  const extension = await lockPhoneExtension(tx, caller.accountId, extensionId);
  if (!extension) throw notFound();
  if (caller.role !== 'ADMIN' && extension.userId !== caller.userId) {
    throw new Refusal('ACCESS_DENIED', 'This extension belongs to another user.');
  }
  return extension;
}
