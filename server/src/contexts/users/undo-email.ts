import type { Origin } from '../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import {
  findFormerEmail,
  findUserAccount,
  formerEmailSeconds,
  keepFormerEmail,
  revokeLogins,
  takeFormerEmail,
} from '../access/index.ts';
import { recordChange } from '../audit/index.ts';
import { lockUserByUuid, saveUser } from './user.store.ts';
import { auditView, type User } from './user.ts';

export interface UndoEmailDeps {
  db: Database;
  clock: Clock;
  keyRing: KeyRing;
  consoleUrl: string;
}

const purpose = 'undo-email';

/**
 * Keeps the address that a user had before a change, which still logs in for a while. Returns the link that undoes the
 * change, unless the address was not verified: a mistyped one gets no rights over the user. A user who returns to a kept
 * address undoes the changes since: it is verified again if it was, and the address that was left is not kept.
 */
export async function keepAddress(
  tx: Tx,
  { keyRing, consoleUrl }: Pick<UndoEmailDeps, 'keyRing' | 'consoleUrl'>,
  before: User,
  after: User,
): Promise<{ after: User; link?: string }> {
  if (before.email.toLowerCase() === after.email.toLowerCase()) return { after };
  const owner = { accountId: before.accountId, userId: before.id };
  const at = after.updatedAt;
  const returnedTo = await findFormerEmail(tx, owner, after.email, at);
  if (returnedTo !== undefined) {
    const former = await takeFormerEmail(tx, owner, returnedTo, at);
    return { after: { ...after, emailVerified: former !== undefined } };
  }
  const { email, emailVerified: wasVerified, emailByAdmin } = before;
  const id = await keepFormerEmail(tx, owner, { email, wasVerified, emailByAdmin }, at);
  if (!wasVerified) return { after };
  const token = keyRing.sign(purpose, { user: before.uuid, id }, secondsAfter(at, formerEmailSeconds));
  return { after, link: `${consoleUrl}/undo-email?token=${token}` };
}

/** Gives a user the address back from which it was changed, and ends all logins of the user. */
export async function undoEmail(deps: UndoEmailDeps, token: string, origin: Origin): Promise<void> {
  const at = deps.clock.now();
  const verified = deps.keyRing.verify(purpose, token, at);
  if (verified.state !== 'valid') throw deadLink();
  const uuid = String(verified.payload.user);
  const accountId = await findUserAccount(deps.db, uuid);
  if (accountId === undefined) throw deadLink();
  await inAccount(deps.db, accountId, async (tx) => {
    const before = await lockUserByUuid(tx, accountId, uuid);
    if (!before) throw deadLink();
    const owner = { accountId, userId: before.id };
    const former = await takeFormerEmail(tx, owner, Number(verified.payload.id), at);
    if (!former) throw deadLink();
    const { email, emailByAdmin } = former;
    const after = { ...before, email, emailByAdmin, emailVerified: true, updatedAt: at };
    await saveUser(tx, after);
    await revokeLogins(tx, owner);
    await recordChange(tx, {
      accountId,
      at,
      actor: { uuid, email },
      origin,
      action: 'user.undo-email',
      target: { type: 'user', id: uuid },
      before: auditView(before),
      after: auditView(after),
    });
  });
}

const deadLink = () =>
  invalid({
    path: 'token',
    code: 'invalid_token',
    message: '`token` is invalid, expired or already used.',
  });
