import Fastify, { type FastifyContextConfig } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireDeclaredAccess } from '../../../src/http/access.ts';
import { allowsScope, forUsers, type Scope, scopes } from '../../../src/platform/scopes.ts';
import { listOperations, type Operation } from '../../harness/operations.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';
import { listRoutes } from '../../scenarios/tenancy/routes.ts';

type Kind = 'user' | 'service';

let platform: Platform;
let account: TestAccount;
let guarded: Operation[];
/** A token of an ADMIN and a service token for each scope. */
const tokens: Record<Kind, Map<Scope, string>> = { user: new Map(), service: new Map() };

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  guarded = listOperations(platform.document).filter(({ access }) => access !== 'PUBLIC');
  for (const scope of scopes) {
    const wanted = { name: scope, scopes: [scope] };
    tokens.user.set(scope, await create('/users/accessTokens', wanted));
    tokens.service.set(scope, await create('/accounts/accessTokens', wanted));
  }
});
afterAll(() => platform.close());

async function create(path: string, wanted: object): Promise<string> {
  const { status, body } = await account.admin.client.post(path, wanted);
  expect(status).toBe(200);
  return body.id;
}

/** Sends a request that passes all checks of the token and fails afterwards, so that it changes nothing. */
async function send({ method, path }: Operation, token: string): Promise<string> {
  const url = path.replaceAll(/[{}]/g, '');
  const answer = await platform.client(token).request(method, url, { query: { planted: '1' } });
  const code: string = answer.body?.error?.errorCode ?? '';
  if (code === 'TOKEN_SCOPE_MISSING' || code === 'ACCESS_DENIED') return code;
  return answer.status === 400 || answer.status === 422 ? 'admitted' : `served: ${answer.status}`;
}

function expected({ scope, servesServiceTokens }: Operation, kind: Kind, granted: Scope): string {
  if (scope === undefined || !allowsScope([granted], scope)) return 'TOKEN_SCOPE_MISSING';
  return kind === 'service' && !servesServiceTokens ? 'ACCESS_DENIED' : 'admitted';
}

/** Returns every route and scope for which the service does not do what the route declares. */
async function findHoles(operations: Operation[]): Promise<string[]> {
  const holes: string[] = [];
  for (const operation of operations) {
    if (operation.scope === undefined) holes.push(`${operation.name} declares no scope`);
    for (const [kind, ofKind] of Object.entries(tokens) as [Kind, Map<Scope, string>][]) {
      for (const [granted, token] of ofKind) {
        const [wanted, got] = [expected(operation, kind, granted), await send(operation, token)];
        if (wanted !== got) holes.push(`${operation.name} with ${kind} ${granted}: ${got}, not ${wanted}`);
      }
    }
  }
  return holes;
}

const named = (name: string): Operation => {
  const found = listOperations(platform.document).find((each) => each.name === name);
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
};

test('TOKEN-16 TOKEN-17 TOKEN-22 every route refuses exactly the tokens without its scope', async () => {
  const described = listOperations(platform.document).map(({ name }) => name);
  // A HEAD that differs from its GET is an operation of its own.
  const gets = guarded.filter(({ method, path }) => method === 'GET' && !described.includes(`HEAD ${path}`));
  const routes = [
    ...guarded,
    ...gets.map((each) => ({ ...each, method: 'HEAD', name: each.name.replace('GET', 'HEAD') })),
  ];
  const open = listOperations(platform.document).filter(({ access }) => access === 'PUBLIC');
  const names = [...routes, ...open, ...open.map(({ path }) => ({ name: `HEAD ${path}` }))];
  // No route is left out: those of the matrix and the public ones are all of the application.
  expect(listRoutes(platform.app).filter((name) => !names.some((each) => each.name === name))).toEqual([]);
  expect(await findHoles(guarded)).toEqual([]);
  for (const { name, method, path } of routes.filter((each) => each.method === 'HEAD')) {
    const { scope } = named(name.replace('HEAD', 'GET'));
    const url = path.replaceAll(/[{}]/g, '');
    for (const [granted, token] of tokens.user) {
      const answer = await platform.client(token).request(method, url, { query: { planted: '1' } });
      const isAllowed = scope !== undefined && allowsScope([granted], scope);
      expect([name, granted, answer.status]).toEqual([name, granted, isAllowed ? 400 : 403]);
    }
  }
});

test('TOKEN-17 every scope admits to some route, and only tokens without scopes manage tokens', () => {
  expect(new Set(guarded.map(({ scope }) => scope))).toEqual(new Set([...scopes, 'any', 'full']));
  const needing = (wanted: string) => guarded.filter(({ scope }) => scope === wanted).map(({ name }) => name);
  expect(needing('any').sort()).toEqual(['GET /users/me', 'POST /users/logout']);
  expect(needing('full').sort()).toEqual([
    'DELETE /accounts/accessTokens/{prefix}',
    'DELETE /users/accessTokens/{prefix}',
    'DELETE /users/me/factors/{id}',
    'DELETE /users/me/sessions',
    'DELETE /users/me/sessions/{prefix}',
    'DELETE /users/{uuid}/factors',
    'GET /accounts/accessTokens',
    'GET /users/accessTokens',
    'GET /users/me/context',
    'GET /users/me/factors',
    'GET /users/me/sessions',
    'POST /accounts/accessTokens',
    'POST /console/sso/proof',
    'POST /users/accessTokens',
    'POST /users/change-password',
    'POST /users/me/factors/passkey',
    'POST /users/me/factors/passkey/start',
    'POST /users/me/factors/recovery-codes',
    'POST /users/me/factors/totp',
    'POST /users/me/factors/totp/start',
    'POST /users/me/proof',
  ]);
});

test('TOKEN-17 the matrix finds a route without a declared scope', async () => {
  const { scope: _scope, ...rest } = named('GET /audit');
  const undeclared = { ...rest, scope: undefined };
  expect(await findHoles([undeclared])).toContain('GET /audit declares no scope');
});

test('TOKEN-17 the matrix finds a route that ignores its scope', async () => {
  // Routes that serve every token, declared as if they needed a scope.
  const planted: Operation = { ...named('GET /users/me'), scope: 'money' };
  const holes = await findHoles([planted]);
  expect(holes).toHaveLength(scopes.length * 2 - 2);
  expect(holes[0]).toBe('GET /users/me with user calls:place: admitted, not TOKEN_SCOPE_MISSING');
});

test('TOKEN-17 the service does not start with a route that declares no scope, nor does it compile', () => {
  type Compiles<Config> = Config extends FastifyContextConfig ? true : false;
  const withoutScope: Compiles<{ access: 'USER' }> = false;
  const withoutRole: Compiles<{ access: { scope: 'money' } }> = false;
  const declared: Compiles<{ access: ReturnType<typeof forUsers> }> = true;
  expect([withoutScope, withoutRole, declared]).toEqual([false, false, true]);
  const app = Fastify();
  requireDeclaredAccess(app);
  expect(() => app.get('/api/v1/planted', async () => 'open')).toThrow('does not declare');
  expect(() =>
    app.get('/api/v1/other', { config: { access: forUsers('money') } }, async () => ''),
  ).not.toThrow();
});
