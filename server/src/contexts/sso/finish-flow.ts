import type { Caller, Origin } from '../../platform/caller.ts';
import { inAccount } from '../../platform/db/database.ts';
import type { Refusal } from '../../platform/errors.ts';
import { hasToken, noteProof, openSsoSession } from '../access/index.ts';
import type { QueueMail } from '../notifications/index.ts';
import {
  clientOf,
  type Flow,
  type FlowDeps,
  type FlowPurpose,
  openFlow,
  providerUnavailable,
  ssoRefused,
} from './flow.ts';
import type { Failure, Identity } from './ports.ts';
import { type ResolveUserDeps, resolveUser } from './resolve-user.ts';
import { faultOfIdentity, isFreshAfter } from './sso.rules.ts';
import { findDomains, findSettings, findUserOfSubject } from './sso.store.ts';

export interface FinishFlowDeps extends FlowDeps, ResolveUserDeps {
  queueMail: QueueMail;
  consoleIdleSeconds: number;
}

export interface FinishedFlow {
  purpose: FlowPurpose;
  /** The verified address that the provider returned. */
  email: string;
  /** The cookie of the new session, after a login. */
  cookie: string | undefined;
}

interface Callback {
  /** What the browser kept since the start. */
  sealed: string | undefined;
  /** The query with which the provider sent the user back. */
  query: string;
  device: string;
}

/** Handles the return of a user from the provider. */
export async function finishFlow(
  deps: FinishFlowDeps,
  { sealed, query, device }: Callback,
  caller: Caller | undefined,
  origin: Origin,
): Promise<FinishedFlow> {
  const flow = openFlow(deps, sealed);
  if (!flow) throw ssoRefused('login', '');
  const identity = await identify(deps, flow, query);
  const result = { purpose: flow.purpose, email: identity.email ?? '' };
  if (flow.purpose === 'test') return { ...result, cookie: undefined };
  if (flow.purpose === 'proof') {
    await prove(deps, flow, identity, caller);
    return { ...result, cookie: undefined };
  }
  return { ...result, cookie: await logIn(deps, flow, identity, device, origin) };
}

/** Returns the user as the provider identified them, if it may vouch for the address. */
async function identify(deps: FinishFlowDeps, flow: Flow, query: string): Promise<Identity> {
  const { accountId, purpose } = flow;
  const { settings, domains } = await inAccount(deps.db, accountId, async (tx) => ({
    settings: await findSettings(tx, accountId),
    domains: await findDomains(tx, accountId),
  }));
  // Changed since the start.
  if (settings?.issuer !== flow.issuer || settings.clientId !== flow.clientId)
    throw ssoRefused(purpose, 'The settings have changed since the start.');
  const finished = await deps.identityProviders.finish(clientOf(deps, settings), flow, query);
  if (finished.outcome !== 'done') throw refusalOf(purpose, finished);
  const proved = domains.filter(({ provedAt }) => provedAt !== null).map(({ domain }) => domain);
  const fault = faultOfIdentity(finished.identity, proved);
  if (fault !== undefined) throw ssoRefused(purpose, fault);
  return finished.identity;
}

async function logIn(
  deps: FinishFlowDeps,
  flow: Flow,
  identity: Identity,
  device: string,
  origin: Origin,
): Promise<string> {
  const passwordHash = await deps.passwords.hash(flow.state);
  const at = deps.clock.now();
  return await inAccount(deps.db, flow.accountId, async (tx) => {
    const user = await resolveUser(tx, deps, flow, { identity, passwordHash }, { origin, at });
    return await openSsoSession(tx, deps, user, device, { origin, at });
  });
}

/** Notes the proof on the session that needed it, if the provider identified its user anew. */
async function prove(
  deps: FinishFlowDeps,
  flow: Flow,
  identity: Identity,
  caller: Caller | undefined,
): Promise<void> {
  const isSameSession = caller?.tokenHash.toString('base64') === flow.tokenHash;
  if (!caller || !isSameSession || !isFreshAfter(identity, new Date(flow.startedAt)))
    throw ssoRefused(flow.purpose, '');
  const { accountId } = flow;
  await inAccount(deps.db, accountId, async (tx) => {
    const userId = await findUserOfSubject(tx, accountId, flow.issuer, identity.subject);
    if (userId !== caller.userId || !(await hasToken(tx, caller, caller.tokenHash)))
      throw ssoRefused(flow.purpose, '');
    await noteProof(tx, accountId, caller.tokenHash, deps.clock.now());
  });
}

const refusalOf = (purpose: FlowPurpose, { outcome, detail }: Failure): Refusal =>
  outcome === 'unavailable' ? providerUnavailable(purpose, detail) : ssoRefused(purpose, detail);
