import { randomBytes } from 'node:crypto';
import type { Answer, Client } from '../harness/client.ts';
import { password, signupBody } from '../harness/people.ts';
import type { MailedTokens } from './mailed-tokens.ts';
import type { Reference } from './references.ts';
import type { Identity, RequestPlan, WireRequest } from './request-plan.ts';

/** One account with its people, in which a lane of requests plays until it is broken or old, and is then removed. */
export interface World {
  /** Logs in again whoever lost the token; false once nobody can. */
  recover(): Promise<boolean>;
  sessionOf(identity: Identity): Session | undefined;
  lookUp(reference: Reference, session: Session | undefined): unknown;
  learn(plan: RequestPlan, request: WireRequest, session: Session | undefined, answer: Answer): void;
  remove(): Promise<void>;
}

export interface Session {
  role: 'ADMIN' | 'USER';
  email: string;
  token: string | undefined;
  prefixes: string[];
}

export interface WorldMaker {
  client: Client;
  mailed: MailedTokens;
  /** Gives the account credit and a few calls that used some of it; returns the calls. */
  addMoney(accountId: number): Promise<string[]>;
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

interface Pools {
  users: { uuid: string; email: string }[];
  calls: string[];
  strangers: { domain: string; email: string }[];
  nextPages: string[];
}

const mostKept = 50;

export async function createWorld(maker: WorldMaker): Promise<World> {
  const { client, query } = maker;
  const name = `w${randomBytes(8).toString('hex')}`;
  const email = (who: string): string => `${who}@${name}.example.com`;
  const pools: Pools = { users: [], calls: [], strangers: [], nextPages: [] };
  let isBroken = false;
  const sessions: Record<Session['role'], Session> = {
    ADMIN: { role: 'ADMIN', email: email('admin'), token: undefined, prefixes: [] },
    USER: { role: 'USER', email: email('user'), token: undefined, prefixes: [] },
  };

  async function logIn(session: Session): Promise<boolean> {
    const answer = await client.post('/users/login', { email: session.email, password });
    session.token = answer.status === 200 ? String(answer.body.id) : undefined;
    session.prefixes = [];
    return session.token !== undefined;
  }

  const signup = signupBody({ email: email('admin') });
  const domain = String(signup.domain).replace(/^[^.]*/, name);
  must(201, await client.post('/accounts/signup', { ...signup, domain }));
  const activation = `update accounts set status = 'active' where domain = $1 returning id`;
  const [account] = await query(activation, [domain]);
  pools.calls = await maker.addMoney(Number(account?.id));
  await logIn(sessions.ADMIN);
  for (const who of ['user', 'other', 'third']) {
    const role = who === 'other' ? 'ADMIN' : 'USER';
    const body = { name: who, email: email(who), password, phone: '5511912345678', role };
    must(200, await client.as(sessions.ADMIN.token).post('/users', body));
  }
  await query('update users set email_verified = true where email = any($1)', [
    [email('admin'), email('user')],
  ]);
  await logIn(sessions.USER);
  const { body: people } = must(200, await client.as(sessions.ADMIN.token).get('/users'));
  pools.users = people;

  return {
    async recover() {
      for (const session of Object.values(sessions)) {
        if (isBroken) return false;
        if (session.token === undefined && !(await logIn(session))) isBroken = true;
      }
      return !isBroken;
    },
    sessionOf: ({ who }) => (who === 'ADMIN' || who === 'USER' ? sessions[who] : undefined),
    lookUp: (reference, session) =>
      pick(poolOf(reference.kind, pools, session, maker.mailed), reference.pick),
    learn(plan, request, session, answer) {
      if (answer.status === 401 && session) session.token = undefined;
      // The ADMIN was demoted: nothing of interest can be done here any more.
      if (answer.status === 403 && plan.operation.access === 'ADMIN' && session?.role === 'ADMIN')
        isBroken = true;
      if (answer.status < 300) learnFrom(pools, plan, request, session, answer);
    },
    async remove() {
      const strangers = pools.strangers.map((each) => each.domain);
      await removeTraces(query, Number(account?.id), strangers);
    },
  };
}

function must(status: number, answer: Answer): Answer {
  if (answer.status === status) return answer;
  throw new Error(`Making a world was answered ${answer.status}: ${answer.text}`);
}

function learnFrom(
  pools: Pools,
  plan: RequestPlan,
  request: WireRequest,
  session: Session | undefined,
  answer: Answer,
): void {
  const remember = <T>(pool: T[], ...items: T[]): void => {
    pool.unshift(...items);
    pool.length = Math.min(pool.length, mostKept);
  };
  const next = /<[^?>]*\?([^>]*)>; rel="next"/.exec(answer.headers.link ?? '')?.[1];
  if (next !== undefined) remember(pools.nextPages, next);
  switch (plan.operation.name) {
    case 'GET /users': {
      const whole = (answer.body as Pools['users']).filter((user) => user.uuid && user.email);
      if (whole.length > 0) pools.users = whole.slice(0, mostKept);
      break;
    }
    case 'POST /users/accessTokens':
      remember(session?.prefixes ?? [], String(answer.body.id).slice(0, 8));
      break;
    case 'GET /users/accessTokens':
      remember(
        session?.prefixes ?? [],
        ...(answer.body as { prefix?: string }[]).flatMap(({ prefix }) => prefix ?? []),
      );
      break;
    case 'POST /accounts/signup': {
      const { domain, email } = JSON.parse(request.raw ?? '{}') as Record<string, string>;
      // All of them, because all of them are removed with the world.
      pools.strangers.unshift({ domain: String(domain).trim().toLowerCase(), email: String(email) });
      break;
    }
    default:
  }
}

function poolOf(kind: string, pools: Pools, session: Session | undefined, mailed: MailedTokens): string[] {
  const emails = [...pools.users, ...pools.strangers].map(({ email }) => email);
  const owners = [...emails, ...pools.users.map(({ uuid }) => uuid)];
  switch (kind) {
    case 'user':
      // A USER may name itself only, which is why it does so most of the time.
      return ownFirst(pools, session).map(({ uuid }) => uuid);
    case 'email':
      return emails;
    case 'call':
      return pools.calls;
    case 'token':
      return session?.prefixes.length ? session.prefixes : ['AAAAAAAA'];
    case 'reset-token':
      return mailed.of('reset-password', owners);
    case 'confirm-token':
      return mailed.of('confirm-email', owners);
    case 'next-page':
      return pools.nextPages.length > 0 ? pools.nextPages : ['page=1'];
    default:
      throw new Error(`The fuzzer does not know the kind ${kind}: teach it in world.ts.`);
  }
}

function ownFirst(pools: Pools, session: Session | undefined): Pools['users'] {
  const own = pools.users.filter(({ email }) => email === session?.email);
  return session?.role === 'USER' && own.length > 0
    ? [...own, ...own, ...own, ...pools.users.slice(0, 1)]
    : pools.users;
}

const pick = (pool: string[], index: number): string => pool[index % (pool.length || 1)] ?? 'nothing';

/** What grows goes: people with their tokens, and logs. The account stays, because its ledger is there to stay. */
async function removeTraces(
  query: WorldMaker['query'],
  accountId: number,
  strangers: string[],
): Promise<void> {
  for (const table of ['users', 'audit_entries', 'events']) {
    await query(`delete from ${table} where account_id = $1`, [accountId]);
  }
  await query('delete from accounts where domain = any($1)', [strangers]);
}
