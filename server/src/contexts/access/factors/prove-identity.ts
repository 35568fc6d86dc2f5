import type { Caller } from '../../../platform/caller.ts';
import { inAccount } from '../../../platform/db/database.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import { findPassword } from '../access.store.ts';
import { holdOffGuessers } from '../hold-off.ts';
import type { Passwords } from '../passwords.ts';
import { needsSso, ssoRequired } from '../require-sso.ts';
import { noteProof } from '../token.store.ts';
import { type FactorDeps, type FactorProof, proveFactor } from './prove-factor.ts';

export interface ProveIdentityDeps extends FactorDeps {
  passwords: Passwords;
}

/** Checks the password and the second factor of the caller again, and notes the time on the token of the request. */
export async function proveIdentity(
  deps: ProveIdentityDeps,
  caller: Caller,
  { password, ...proof }: FactorProof & { password: string },
): Promise<void> {
  // Counted separately from login, and from changes of the password, for the same reason as those.
  const guessed = `prove-identity/${caller.uuid}`;
  await holdOffGuessers(deps.holdoff, guessed);
  const stored = await inAccount(deps.db, caller.accountId, (tx) =>
    findPassword(tx, caller.accountId, caller.uuid),
  );
  if (!stored) throw notFound();
  if (!(await deps.passwords.matches(stored.password_hash, password)))
    throw invalid({ path: 'password', code: 'wrong_password', message: '`password` is wrong.' });
  await deps.holdoff.forgive(guessed);
  if (await needsSso(deps.db, caller)) throw ssoRequired();
  await proveFactor(deps, caller, proof, caller.origin);
  await inAccount(deps.db, caller.accountId, (tx) =>
    noteProof(tx, caller.accountId, caller.tokenHash, deps.clock.now()),
  );
}
