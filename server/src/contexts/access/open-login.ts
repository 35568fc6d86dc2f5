import type { Origin } from '../../platform/caller.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { QueueMail } from '../notifications/index.ts';
import { type Login, noteLogin, rememberAddress } from './access.store.ts';
import { type IssuedToken, issueTokenIn, type WantedToken } from './issue-token.ts';
import { mailNewNetwork } from './mail-access.ts';

export type LoggedIn = Pick<Login, 'account_id' | 'user_id' | 'uuid' | 'email' | 'locale' | 'knows_address'>;

/** Issues the token of a login and notes where it came from. Requires a lock on the user. */
export async function openLogin(
  tx: Tx,
  { queueMail }: { queueMail: QueueMail },
  user: LoggedIn,
  wanted: WantedToken & { kind: 'console' | 'login' },
  { origin, at }: { origin: Origin; at: Date },
): Promise<IssuedToken> {
  const owner = { accountId: user.account_id, userId: user.user_id };
  const by = { actor: { uuid: user.uuid, email: user.email }, origin, at };
  const token = await issueTokenIn(tx, owner, by, wanted);
  await noteLogin(tx, owner.accountId, owner.userId, at, wanted.kind === 'login');
  await mailNewNetwork(tx, queueMail, user, origin.address, at);
  await rememberAddress(tx, user, origin.address, at);
  return token;
}
