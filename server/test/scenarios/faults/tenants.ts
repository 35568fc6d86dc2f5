import { randomBytes } from 'node:crypto';
import { password, signupBody } from '../../harness/people.ts';
import { type Answer, type CheckedRequest, sendRequest } from './send-request.ts';

type Query = (text: string, values: unknown[]) => Promise<unknown>;

/** An account with its ADMIN logged in, and requests that check their responses. */
export interface Tenant {
  email: string;
  domain: string;
  uuid: string;
  token: string;
  /** The number of the last acknowledged change. */
  acknowledged: number;
  /** Reads the current user; expects no other. */
  me(): CheckedRequest;
  /** Lists the users of the account; expects none of another account. */
  users(): CheckedRequest;
  /** Renames the user with increasing numbers, one at a time, so that a lost change is detected. */
  rename(): CheckedRequest;
}

let addresses = 0;

/** Returns an unused address, so that no other client used up its limit. */
export function freshAddress(): string {
  addresses += 1;
  return `203.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

export const signup = (): Record<string, unknown> => {
  const unique = randomBytes(4).toString('hex');
  return signupBody({ domain: `t${unique}.disca.test`, email: `admin@t${unique}.test` });
};

export async function createTenant(url: string, query: Query): Promise<Tenant> {
  const body = signup();
  const { email, domain } = body as { email: string; domain: string };
  await succeed(url, { method: 'POST', path: '/accounts/signup', body });
  await query(`update accounts set status = 'active', address_proved = true where domain = $1`, [domain]);
  const credentials = { email, password };
  const login = await succeed(url, { method: 'POST', path: '/users/login', body: credentials });
  return tenant({ email, domain, uuid: login?.userId ?? '', token: login?.id ?? '' });
}

/** Ends hanging requests only. */
const timeoutMs = 120_000;

async function succeed(url: string, question: Omit<CheckedRequest, 'check' | 'address'>) {
  const answer = await sendRequest(url, { ...question, address: freshAddress(), timeoutMs });
  if (answer.status >= 300 || answer.fault)
    throw new Error(`${question.path}: ${answer.status} ${answer.fault ?? answer.text}`);
  return answer.body;
}

function tenant(who: { email: string; domain: string; uuid: string; token: string }): Tenant {
  let attempts = 0;
  let underway = false;
  const asked = (method: string, path: string) => ({
    method,
    path,
    token: who.token,
    address: freshAddress(),
  });

  const self: Tenant = {
    ...who,
    acknowledged: 0,
    me: () => ({
      ...asked('GET', '/users/me'),
      check: expectOk((body) => body.uuid === who.uuid && body.email === who.email),
    }),
    users: () => ({
      ...asked('GET', '/users'),
      check: expectOk((body) => body.length === 1 && body[0]?.uuid === who.uuid),
    }),
    rename() {
      if (underway) return self.me();
      underway = true;
      attempts += 1;
      const number = attempts;
      const name = `Nome ${number}`;
      const judge = expectOk((body) => body.uuid === who.uuid && body.name === name);
      return {
        ...asked('PATCH', '/users'),
        body: { name },
        check(answer) {
          underway = false;
          if (answer.status === 200) self.acknowledged = number;
          return judge(answer);
        },
      };
    },
  };
  return self;
}

/** A request with an unknown token: rejected with 401, or with 503 while the token cannot be checked. */
export const unknownToken = (): CheckedRequest => ({
  method: 'GET',
  path: '/users/me',
  token: 'a'.repeat(64),
  address: freshAddress(),
  check: ({ status, body }) =>
    status === 503 || (status === 401 && body?.error?.errorCode === 'INVALID_TOKEN')
      ? undefined
      : `an unknown token got ${status}`,
});

const expectOk =
  (isRight: (body: NonNullable<Answer['body']>) => boolean) =>
  ({ status, text, body }: Answer): string | undefined => {
    if (status === 503) return undefined;
    return status === 200 && body && isRight(body) ? undefined : `answered ${status}: ${text}`;
  };
