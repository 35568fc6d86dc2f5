import type { Caller, Origin } from '../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { Clock } from '../../platform/time.ts';
import { type Actor, recordChange } from '../audit/index.ts';
import { isPrefix } from './token.rules.ts';
import { deleteTokenByHash, deleteTokenByPrefix } from './token.store.ts';

interface RevokeDeps {
  db: Database;
  clock: Clock;
}

export async function logOut(deps: RevokeDeps, caller: Caller): Promise<void> {
  await inAccount(deps.db, caller.accountId, async (tx) => {
    const prefix = await deleteTokenByHash(tx, caller, caller.tokenHash);
    if (prefix) await recordRevocation(tx, by(deps, caller), prefix);
  });
}

export async function revokeToken(deps: RevokeDeps, caller: Caller, prefix: string): Promise<void> {
  if (!isPrefix(prefix)) throw notFound();
  await inAccount(deps.db, caller.accountId, async (tx) => {
    if (!(await deleteTokenByPrefix(tx, caller, prefix, deps.clock.now()))) throw notFound();
    await recordRevocation(tx, by(deps, caller), prefix);
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

export async function recordRevocation(tx: Tx, revocation: Revocation, prefix: string): Promise<void> {
  await recordChange(tx, { ...revocation, action: 'token.revoke', target: { type: 'token', id: prefix } });
}
