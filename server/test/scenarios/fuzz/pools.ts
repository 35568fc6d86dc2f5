import type { Answer } from '../../harness/client.ts';
import { createPasskey, totpCode } from '../../harness/factors.ts';

import type { MailedTokens } from './mailed-tokens.ts';
import type { RecordingLink } from './recordings.ts';
import type { RequestPlan, WireRequest } from './request-plan.ts';

/** A user who sends requests, updated from the responses. */
export interface Session {
  role: 'ADMIN' | 'USER';
  uuid: string;
  email: string;
  password: string;
  token: string | undefined;
  /** The tokens that requests of this user can refer to. */
  prefixes: string[];
  /** First characters of the console sessions. */
  consoleSessions: string[];
  factors: string[];
  /** The app that the user began to add. */
  totp?: { secret: string; setUp: string };
  /** The options of the passkey that the user began to add. */
  passkey?: PasskeyOptions;
}

type PasskeyOptions = Parameters<ReturnType<typeof createPasskey>['register']>[0];

/** The objects of a test account that requests can refer to. */
export interface Pools {
  users: { uuid: string; email: string }[];
  calls: string[];
  recordings: RecordingLink[];
  /** Answered calls, which no request ends. */
  runningCalls: string[];
  /** Answered calls with a transfer in progress. */
  transferredCalls: string[];
  charges: { id: string; paymentId: string }[];
  extensions: string[];
  phoneSessions: { id: string; extension: string }[];
  /** Numbers of extensions that can call. */
  ramals: string[];
  callerIds: string[];
  contacts: string[];
  /** First characters of the service tokens. */
  serviceTokens: string[];
  invitations: { uuid: string; email: string }[];
  integrations: string[];
  deliveries: string[];
  /** Accounts created by generated sign-ups. */
  signups: { domain: string; email: string }[];
  nextPages: string[];
  /** The domain for which the identity provider vouches. */
  mailDomains: string[];
  issuers: string[];
}

/** CONSOLE_URL of the tests. */
const consoleOrigin = 'http://console.disca.test';

const maxPoolSize = 50;

function remember<T>(pool: T[], ...items: T[]): void {
  pool.unshift(...items);
  pool.length = Math.min(pool.length, maxPoolSize);
}

/** Collects objects from a successful response that later requests can refer to. */
export function learnFrom(
  answer: Answer,
  { operation }: RequestPlan,
  request: WireRequest,
  pools: Pools,
  session: Session | undefined,
): void {
  const next = /<[^?>]*\?([^>]*)>; rel="next"/.exec(answer.headers.link ?? '')?.[1];
  if (next !== undefined) remember(pools.nextPages, next);
  const sent = () => JSON.parse(request.raw ?? '{}') as Record<string, string>;
  switch (operation.name) {
    case 'GET /users': {
      const whole = (answer.body as Pools['users']).filter((user) => user.uuid && user.email);
      if (whole.length > 0) pools.users = whole.slice(0, maxPoolSize);
      return;
    }
    case 'POST /charges':
      remember(pools.charges, { id: String(answer.body.id), paymentId: answer.body.paymentId });
      return;
    case 'POST /extensions':
    case 'POST /extensions/next-available':
    case 'PATCH /extensions':
      remember(pools.extensions, String(answer.body.id));
      return;
    case 'POST /extensions/{id}/phone-sessions':
      remember(pools.phoneSessions, {
        id: answer.body.id,
        extension: /\/extensions\/([^/]+)/.exec(request.path)?.[1] ?? '',
      });
      return;
    case 'PATCH /integrations':
      remember(pools.integrations, String(answer.body.id));
      return;
    case 'POST /calls':
    case 'POST /dialer':
      remember(pools.calls, answer.body.id);
      return;
    case 'POST /callerIds':
      remember(pools.callerIds, String(answer.body.id));
      return;
    case 'PUT /contacts':
      remember(pools.contacts, answer.body.id);
      return;
    case 'POST /accounts/accessTokens':
      remember(pools.serviceTokens, String(answer.body.id).slice(0, 8));
      return;
    case 'POST /users/invitations':
      remember(pools.invitations, answer.body);
      return;
    case 'POST /accounts/signup': {
      const { domain = '', email = '' } = sent();
      // All of them, because all are removed with the test account.
      pools.signups.unshift({ domain: domain.trim().toLowerCase(), email });
      return;
    }
  }
  if (session) learnAboutSession(answer, operation.name, sent, session);
}

function learnAboutSession(
  { body }: Answer,
  operation: string,
  sent: () => Record<string, string>,
  session: Session,
): void {
  switch (operation) {
    case 'POST /users/accessTokens':
      remember(session.prefixes, String(body.id).slice(0, 8));
      break;
    case 'GET /users/accessTokens':
      remember(session.prefixes, ...(body as { prefix?: string }[]).flatMap(({ prefix }) => prefix ?? []));
      break;
    case 'GET /users/me/sessions':
      session.consoleSessions = (body as { prefix: string }[]).map(({ prefix }) => prefix);
      break;
    case 'GET /users/me/factors':
      session.factors = (body.factors as { id: string }[]).map(({ id }) => id);
      break;
    case 'POST /users/me/factors/totp/start':
      session.totp = body;
      break;
    case 'POST /users/me/factors/passkey/start':
      session.passkey = body;
      break;
    case 'PATCH /users':
      if (session.uuid === body.uuid) session.email = body.email;
      break;
    case 'POST /users/change-password':
      session.password = sent().newPassword ?? '';
      break;
  }
}

/** Returns the objects of a kind that a request may refer to. */
export function listCandidates(
  kind: string,
  pools: Pools,
  sessions: Session[],
  session: Session | undefined,
  mailed: MailedTokens,
): unknown[] {
  const emails = () => [...pools.users, ...pools.signups].map(({ email }) => email);
  const owners = () => [...emails(), ...pools.users.map(({ uuid }) => uuid)];
  switch (kind) {
    case 'user':
      return nameable(pools.users, sessions, session).map(({ uuid }) => uuid);
    case 'admin':
      return sessions.filter(({ role }) => role === 'ADMIN').map(({ uuid }) => uuid);
    case 'email':
    case 'sso-email':
      return emails();
    case 'sso-domain':
      return pools.users.map(({ email }) => email.slice(email.indexOf('@') + 1));
    case 'sso-callback':
      return ['code=x&state=y'];
    case 'call':
      return pools.calls;
    case 'running-call':
      return pools.runningCalls;
    case 'transferred-call':
      return pools.transferredCalls;
    case 'charge':
      return pools.charges.map(({ id }) => id);
    case 'recording':
      return pools.recordings.map(({ callId }) => callId);
    case 'recording-signature':
      return pools.recordings.map(({ signature }) => signature);
    case 'extension':
      return pools.extensions;
    case 'phone-session':
      return pools.phoneSessions.map(({ id }) => id);
    case 'extension-of-phone-session':
      return pools.phoneSessions.map(({ extension }) => extension);
    case 'integration':
      return pools.integrations;
    case 'delivery':
      return pools.deliveries;
    case 'ramal':
      return pools.ramals;
    case 'caller-id':
      return pools.callerIds;
    case 'contact':
      return pools.contacts;
    case 'service-token':
      return pools.serviceTokens;
    case 'payment':
      return pools.charges.map(({ paymentId }) => paymentId);
    case 'gateway':
      return ['sandbox', 'sandbox', 'sandbox', 'asaas'];
    case 'token':
      return session?.prefixes ?? [];
    case 'reset-token':
      return mailed.of('reset-password', owners());
    case 'session':
      return session?.consoleSessions ?? [];
    case 'factor':
      return session?.factors ?? [];
    case 'totp-set-up':
      return session?.totp ? [session.totp.setUp] : [];
    case 'totp-code':
      return session?.totp ? [totpCode(session.totp.secret)] : ['000000'];
    case 'passkey-registration':
      return session?.passkey ? [createPasskey(consoleOrigin).register(session.passkey)] : ['unsigned'];
    case 'invitation':
      return pools.invitations.map(({ uuid }) => uuid);
    case 'invitation-token':
      return mailed.of(
        'invitation',
        pools.invitations.map(({ email }) => email),
      );
    case 'undo-token':
      return mailed.of('undo-email', owners());
    case 'confirm-token':
      return mailed.of('confirm-email', owners());
    case 'mail-domain':
      return pools.mailDomains;
    case 'issuer':
      return pools.issuers;
    case 'next-page':
      return pools.nextPages.length > 0 ? pools.nextPages : ['page=1'];
    default:
      throw new Error(`Unknown kind ${kind}: add it to server/test/scenarios/fuzz/pools.ts.`);
  }
}

/**
 * Returns the users that a session may refer to: a USER only to their own user. An ADMIN mostly avoids the users who
 * send requests, so that the account stays usable.
 */
function nameable(users: Pools['users'], sessions: Session[], session: Session | undefined): Pools['users'] {
  const own = users.filter(({ uuid }) => uuid === session?.uuid);
  if (session?.role === 'USER') return [...own, ...own, ...own, ...users.slice(0, 1)];
  const others = users.filter(({ uuid }) => !sessions.some((each) => each.uuid === uuid));
  return [...others, ...others, ...others, ...others, ...own];
}
