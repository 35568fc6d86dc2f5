import type { Caller, Origin } from '../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { Clock } from '../../platform/time.ts';
import { type Actor, recordChange } from '../audit/index.ts';
import { deleteServiceToken } from './service-token.store.ts';
import { isPrefix } from './token.rules.ts';
import { deleteTokenByHash, deleteTokenByPrefix } from './token.store.ts';

interface RevokeDeps {
  db: Database;
  clock: Clock;
}

export async function logOut(deps: RevokeDeps, caller: Caller): Promise<void> {
  await inAccount(deps.db, caller.accountId, async (tx) => {
    const prefix = await deleteTokenByHash(tx, caller.accountId, caller.tokenHash);
    if (prefix) await recordRevocation(tx, by(deps, caller), prefix, caller.isService);
  });
}

export async function revokeToken(deps: RevokeDeps, caller: Caller, prefix: string): Promise<void> {
  if (!isPrefix(prefix)) throw notFound();
  await inAccount(deps.db, caller.accountId, async (tx) => {
    if (!(await deleteTokenByPrefix(tx, caller, prefix, deps.clock.now()))) throw notFound();
    await recordRevocation(tx, by(deps, caller), prefix);
  });
}

/** Revokes a service token of the account. */
export async function revokeServiceToken(deps: RevokeDeps, caller: Caller, prefix: string): Promise<void> {
  if (!isPrefix(prefix)) throw notFound();
  await inAccount(deps.db, caller.accountId, async (tx) => {
    if (!(await deleteServiceToken(tx, caller.accountId, prefix, deps.clock.now()))) throw notFound();
    await recordRevocation(tx, by(deps, caller), prefix, true);
  });
}

export interface Revocation {
  accountId: number;
  actor: Actor;
  origin: Origin;
  at: Date;
}

const by = ({ clock }: RevokeDeps, caller: Caller): Revocation => ({
  accountId: caller.accountId,
  actor: caller,
  origin: caller.origin,
  at: clock.now(),
});

export async function recordRevocation(
  tx: Tx,
  revocation: Revocation,
  prefix: string,
  isService = false,
): Promise<void> {
  const action = isService ? 'service-token.revoke' : 'token.revoke';
  await recordChange(tx, { ...revocation, action, target: { type: 'token', id: prefix } });
}
