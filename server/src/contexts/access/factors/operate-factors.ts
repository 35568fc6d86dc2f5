import { notFound } from '../../../platform/errors.ts';
import type { Actor } from '../../audit/index.ts';
import { findLogin } from '../access.store.ts';
import { type RemoveFactorDeps, resetFactors } from './remove-factor.ts';

/** Removes the second factors of a user of the account, by e-mail, for the operator. Returns how many. */
export async function resetFactorsOf(
  deps: RemoveFactorDeps & { actor?: Actor | undefined },
  accountId: number,
  email: string,
): Promise<number> {
  const login = await findLogin(deps.db, email, '', deps.clock.now());
  if (login?.account_id !== accountId) throw notFound();
  const by = { actor: deps.actor ?? null, origin: { address: 'operator', requestId: '' } };
  return await resetFactors(deps, accountId, login.uuid, by);
}
