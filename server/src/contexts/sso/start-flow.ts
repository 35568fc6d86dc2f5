import type { Caller } from '../../platform/caller.ts';
import { inAccount } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import { type FlowDeps, type StartedFlow, startFlow } from './flow.ts';
import { hasIdentity } from './sso.store.ts';

/** Starts a proof of identity: the user authenticates at the provider again. */
export async function startProof(deps: FlowDeps, caller: Caller): Promise<StartedFlow> {
  const { accountId, userId } = caller;
  if (!(await inAccount(deps.db, accountId, (tx) => hasIdentity(tx, accountId, userId))))
    throw new Refusal('SSO_NOT_CONFIGURED', 'You have not logged in with single sign-on yet.');
  return await startFlow(deps, accountId, {
    purpose: 'proof',
    tokenHash: caller.tokenHash.toString('base64'),
    loginHint: caller.email,
  });
}

/** Starts a test login, which shows whether the settings work and changes nothing. */
export const startTest = (deps: FlowDeps, { accountId }: Caller): Promise<StartedFlow> =>
  startFlow(deps, accountId, { purpose: 'test' });
