import { randomBytes } from 'node:crypto';
import type { Answer, Client } from '../../harness/client.ts';
import { addDelivery } from '../../harness/deliveries.ts';
import { insertCalls, insertLegs, insertLiveCalls } from '../../harness/fixtures/call-rows.ts';
import type { Identity as Providers } from '../../harness/identity/sso-account.ts';
import { password, signupBody } from '../../harness/people.ts';
import type { MailedTokens } from './mailed-tokens.ts';
import { addPhone, ownedNumber } from './phones.ts';
import { learnFrom, listCandidates, type Pools, type Session } from './pools.ts';
import type { RecordingLink } from './recordings.ts';
import type { Reference } from './references.ts';
import type { Identity, RequestPlan, WireRequest } from './request-plan.ts';
import { addSingleSignOn, mailDomainOf } from './single-sign-on.ts';

/**
 * One account with its users. A lane sends requests with it until it no longer works or is old; then the account is
 * removed.
 */
export interface FuzzAccount {
  /** Logs in users who lost their token; false once no one can log in. */
  recover(): Promise<boolean>;
  sessionOf(identity: Identity): Session | undefined;
  lookUp(reference: Reference, session: Session | undefined): unknown;
  learn(plan: RequestPlan, request: WireRequest, session: Session | undefined, answer: Answer): void;
  /** Makes the request that of a browser that returns from the identity provider. */
  returnFromProvider(request: WireRequest): Promise<void>;
  remove(): Promise<void>;
}

export interface FuzzAccountDeps {
  client: Client;
  mailed: MailedTokens;
  /** The identity provider of all accounts. */
  identity: Providers;
  /** Adds credit to the account and a few calls that used some of it; returns the calls. */
  addMoney(accountId: number): Promise<string[]>;
  addRecording(accountId: number): Promise<RecordingLink>;
  /** Signs a notification as the gateway does. */
  sign(request: WireRequest): void;
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

export async function createFuzzAccount(maker: FuzzAccountDeps): Promise<FuzzAccount> {
  const { client, query } = maker;
  const name = `w${randomBytes(8).toString('hex')}`;
  const [domain, mailDomain] = [`${name}.disca.test`, mailDomainOf(name)];
  const admin = newSession('ADMIN', `admin@${mailDomain}`);
  const user = newSession('USER', `user@${mailDomain}`);
  const pools: Pools = {
    users: [],
    calls: [],
    recordings: [],
    runningCalls: [],
    transferredCalls: [],
    charges: [],
    extensions: [],
    phoneSessions: [],
    ramals: [],
    callerIds: [],
    contacts: [],
    serviceTokens: [],
    invitations: [],
    integrations: [],
    deliveries: [],
    signups: [],
    nextPages: [],
    mailDomains: [mailDomain],
    issuers: [maker.identity.provider.issuer],
  };
  let isBroken = false;

  const signup = await client.post('/accounts/signup', signupBody({ domain, email: admin.email }));
  if (signup.status !== 201) throw new Error(`The sign-up returned ${signup.status}: ${signup.text}`);
  const activation = `update accounts set status = 'active', address_proved = true where domain = $1 returning id`;
  const accountId = Number((await query(activation, [domain]))[0]?.id);
  pools.calls = await maker.addMoney(accountId);
  pools.recordings = [await maker.addRecording(accountId)];
  pools.runningCalls = [await addRunningCall(query, { id: accountId, domain })];
  pools.transferredCalls = [await addRunningCall(query, { id: accountId, domain })];
  for (const callId of pools.transferredCalls) await insertLegs({ query }, callId);
  await logIn(client, admin);
  await addUser(client, admin, newSession('ADMIN', `other@${mailDomain}`));
  await addUser(client, admin, newSession('USER', `third@${mailDomain}`));
  await addUser(client, admin, user);
  await logIn(client, user);
  await query('update users set email_verified = true where account_id = $1', [accountId]);
  for (const session of [admin, user]) await openConsoleSession(client, session);
  const signOn = await addSingleSignOn({ ...maker, admin: client.as(admin.token) }, accountId, {
    email: admin.email,
    mailDomain,
  });
  pools.users = (await client.as(admin.token).get('/users')).body;
  for (const { email } of [admin, user]) {
    const { id, ramal } = await addPhone(client.as(admin.token), query, email);
    pools.ramals.push(ramal);
    pools.extensions.push(id);
    const { body } = await client.as(admin.token).post(`/extensions/${id}/phone-sessions`);
    pools.phoneSessions.push({ id: body.id, extension: id });
  }
  // The spoken code cannot be received here, but a number that the operator assigned can be verified again.
  const [callerId] = await query(
    `insert into caller_ids (account_id, mode, number, status, source, created_at, owned_at)
     select id, mode, $2, 'owned', 'operator', now(), now() from accounts where id = $1 returning id`,
    [accountId, ownedNumber],
  );
  pools.callerIds = [String(callerId?.id)];
  const [contact] = await query(
    `insert into contacts (account_id, id, number, name, source, created_at, updated_at)
     values ($1, gen_random_uuid(), '5511987654321', 'Ana', 'manual', now(), now()) returning id`,
    [accountId],
  );
  pools.contacts = [String(contact?.id)];
  for (const { token } of [admin, user]) {
    const { integrationId, deliveryId } = await addDelivery(query, client.as(token));
    pools.integrations.push(integrationId);
    pools.deliveries.push(deliveryId);
  }

  /** Creates a new USER in place of the current one. */
  async function replaceUser(): Promise<boolean> {
    Object.assign(user, newSession('USER', `${randomBytes(4).toString('hex')}@${mailDomain}`));
    return (await addUser(client, admin, user)) && (await logIn(client, user));
  }

  return {
    async recover() {
      if (!isBroken && admin.token === undefined) isBroken = !(await logIn(client, admin));
      if (!isBroken && user.token === undefined)
        isBroken = !((await logIn(client, user)) || (await replaceUser()));
      return !isBroken;
    },
    sessionOf: ({ who }) => (who === 'ADMIN' ? admin : who === 'USER' ? user : undefined),
    lookUp({ kind, pick }, session) {
      const pool = listCandidates(kind, pools, [admin, user], session, maker.mailed);
      return pool[pick % (pool.length || 1)] ?? 'nothing';
    },
    learn(plan, request, session, answer) {
      const { access } = plan.operation;
      if (answer.status === 401 && session && access !== 'PUBLIC') session.token = undefined;
      // The ADMIN was demoted, so the account is of no further use. A response to HEAD has no body.
      const isDenied = answer.status === 403 && answer.body?.error.errorCode === 'ACCESS_DENIED';
      if (isDenied && session === admin && access === 'ADMIN') isBroken = true;
      if (answer.status < 300) learnFrom(answer, plan, request, pools, session);
    },
    returnFromProvider: signOn.returnFromProvider,
    async remove() {
      signOn.remove();
      const domains = pools.signups.map((each) => each.domain);
      await removeTraces(query, accountId, domains);
    },
  };
}

/** Adds an answered call, on a media node that can control it. */
async function addRunningCall(
  query: FuzzAccountDeps['query'],
  account: { id: number; domain: string },
): Promise<string> {
  const [callId = ''] = await insertCalls({ query }, account, [
    { startedAt: new Date(), status: 'answered' },
  ]);
  await insertLiveCalls({ query }, [callId]);
  await query(
    `insert into media_nodes (name, secret_hash, sip_address, created_at, controls_calls)
     values ('fuzz', sha256('fuzz'), '127.0.0.1:5060', now(), true) on conflict do nothing`,
  );
  await query(`update live_calls set node = 'fuzz' where call_id = $1`, [callId]);
  return callId;
}

const newSession = (role: Session['role'], email: string): Session => ({
  role,
  uuid: '',
  email,
  password,
  token: undefined,
  prefixes: [],
  consoleSessions: [],
  factors: [],
});

async function logIn(client: Client, session: Session): Promise<boolean> {
  const answer = await client.post('/users/login', { email: session.email, password: session.password });
  if (answer.status !== 200) return false;
  Object.assign(session, { uuid: answer.body.userId, token: answer.body.id, prefixes: [] });
  return true;
}

async function openConsoleSession(client: Client, session: Session): Promise<void> {
  await client.post('/console/session', { email: session.email, password: session.password });
  const { body } = await client.as(session.token).get('/users/me/sessions');
  session.consoleSessions = (body as { prefix: string }[]).map(({ prefix }) => prefix);
}

async function addUser(client: Client, admin: Session, { email, role }: Session): Promise<boolean> {
  const body = { name: role, email, password, phone: '5511912345678', role };
  return (await client.as(admin.token).post('/users', body)).status === 200;
}

/** Removes growing data: calls, extensions, users with their tokens, and logs. The account stays with its ledger. */
async function removeTraces(
  query: FuzzAccountDeps['query'],
  accountId: number,
  signupDomains: string[],
): Promise<void> {
  for (const table of [
    'live_legs',
    'leg_calls',
    'live_calls',
    'dialer_calls',
    'call_pairs',
    'call_words',
    'call_notes',
    'contacts',
    'calls',
    'extensions',
    'caller_ids',
    'caller_id_calls',
    'invitations',
    'single_sign_on',
    'sso_domains',
    'users',
    'audit_entries',
    'events',
    'recording_accesses',
    'idempotency_keys',
  ]) {
    await query(`delete from ${table} where account_id = $1`, [accountId]);
  }
  await query('delete from accounts where domain = any($1)', [signupDomains]);
}
