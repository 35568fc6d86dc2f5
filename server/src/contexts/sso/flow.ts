import { randomBytes } from 'node:crypto';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import type { FlowRequest, IdentityProviders, OidcClient } from './ports.ts';
import { secretPurpose } from './reseal-secrets.ts';
import { redirectUrlOf } from './settings.ts';
import { domainOf } from './sso.rules.ts';
import { findAccountOfDomain, findSettings, type Settings } from './sso.store.ts';

export interface FlowDeps {
  db: Database;
  clock: Clock;
  keyRing: KeyRing;
  consoleUrl: string;
  identityProviders: IdentityProviders;
}

/** Why a user is sent to the provider: to log in, to prove who they are again, or to test the settings. */
export type FlowPurpose = 'login' | 'proof' | 'test';

/** What the browser keeps, sealed, between the start of a login and its callback. */
export interface Flow extends FlowRequest {
  accountId: number;
  purpose: FlowPurpose;
  issuer: string;
  clientId: string;
  /** Of the session that needs a proof, in base 64. */
  tokenHash: string | null;
  startedAt: number;
}

export interface StartedFlow {
  /** Where the browser goes. */
  url: string;
  sealed: string;
}

const flowPurpose = 'sso-flow';
export const flowSeconds = 600;

/** Starts a login with the provider that is responsible for an address. The same for known and unknown users. */
export async function startLogin(deps: FlowDeps, email: string): Promise<StartedFlow> {
  const accountId = await findAccountOfDomain(deps.db, domainOf(email));
  if (accountId === undefined)
    throw new Refusal('SSO_NOT_CONFIGURED', 'Single sign-on is not set up for the domain of this address.');
  return await startFlow(deps, accountId, { purpose: 'login', loginHint: email });
}

export async function startFlow(
  deps: FlowDeps,
  accountId: number,
  {
    purpose,
    tokenHash = null,
    loginHint,
  }: { purpose: FlowPurpose; tokenHash?: string | null; loginHint?: string | undefined },
): Promise<StartedFlow> {
  const settings = await inAccount(deps.db, accountId, (tx) => findSettings(tx, accountId));
  if (!settings) throw new Refusal('SSO_NOT_CONFIGURED', 'Single sign-on is not set up for your account.');
  const { issuer, clientId } = settings;
  const flow: Flow = {
    accountId,
    purpose,
    issuer,
    clientId,
    tokenHash,
    state: random(),
    nonce: random(),
    codeVerifier: random(),
    isFresh: purpose === 'proof',
    loginHint,
    startedAt: deps.clock.now().getTime(),
  };
  const begun = await deps.identityProviders.begin(clientOf(deps, settings), flow);
  if (begun.outcome !== 'done') throw providerUnavailable(purpose, begun.detail);
  return { url: begun.url, sealed: deps.keyRing.seal(flowPurpose, JSON.stringify(flow)) };
}

/** Reads what the browser kept; undefined if it is unknown or older than 10 minutes. */
export function openFlow({ keyRing, clock }: FlowDeps, sealed: string | undefined): Flow | undefined {
  if (sealed === undefined) return undefined;
  try {
    const flow = JSON.parse(keyRing.open(flowPurpose, sealed)) as Flow;
    return secondsAfter(new Date(flow.startedAt), flowSeconds) > clock.now() ? flow : undefined;
  } catch {
    // Not sealed by this service.
    return undefined;
  }
}

export const clientOf = ({ keyRing, consoleUrl }: FlowDeps, settings: Settings): OidcClient => ({
  issuer: settings.issuer,
  clientId: settings.clientId,
  clientSecret: keyRing.open(secretPurpose, settings.secretSealed),
  redirectUrl: redirectUrlOf(consoleUrl),
});

const random = (): string => randomBytes(32).toString('base64url');

/** Only the ADMIN who tests the settings sees why. */
export const providerUnavailable = (purpose: FlowPurpose, detail: string): Refusal =>
  new Refusal(
    'SSO_PROVIDER_UNAVAILABLE',
    'The identity provider of your account could not be used. Try again later, or contact your ADMIN.',
    reason(purpose, detail),
  );

/** One refusal for every reason, so that it reveals nothing about users of this or another account. */
export const ssoRefused = (purpose: FlowPurpose, detail: string): Refusal =>
  new Refusal(
    'SSO_REFUSED',
    'Single sign-on did not succeed. Start again; if it fails repeatedly, contact your ADMIN.',
    reason(purpose, detail),
  );

const reason = (purpose: FlowPurpose, detail: string) =>
  purpose === 'test' ? { details: [{ path: 'provider', code: 'sso_failed', message: detail }] } : {};
