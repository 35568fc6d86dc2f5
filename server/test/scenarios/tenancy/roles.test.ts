import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleRequest, requestOptions } from '../../harness/example-request.ts';
import { type Role, startTenancyFixture, type TenancyFixture } from '../../harness/fixtures/tenancy.ts';
import { listOperations, type Operation } from '../../harness/operations.ts';
import type { Person } from '../../harness/people.ts';
import { listRoutes } from './routes.ts';

let fixture: TenancyFixture;
let operations: Operation[];
/** Users of requests that are refused and therefore change nothing. */
let refused: Record<Role, Person>;

beforeAll(async () => {
  fixture = await startTenancyFixture();
  refused = { USER: await fixture.addUser('USER'), ADMIN: await fixture.addUser('ADMIN') };
  operations = listOperations(fixture.platform.document);
});
afterAll(() => fixture.platform.close());

interface Sending {
  caller?: Person;
  /** Replaces the caller's token. */
  token?: { instead: string | undefined };
}

/** Sends a valid request as a user of the role, with the user's token or another. */
async function send(operation: Operation, role: Role, { caller: given, token }: Sending = {}) {
  const caller = given ?? (await fixture.callerFor(operation, role));
  const request = exampleRequest(operation, await fixture.referencesFor(operation, caller, role));
  const client = token ? caller.client.as(token.instead) : caller.client;
  const answer = await client.request(request.method, request.path, requestOptions(request));
  return { operation: operation.name, status: answer.status, code: answer.body?.error?.errorCode };
}

const forbidden = (operation: string, status: number, code: string) => ({ operation, status, code });
const isServed = ({ status }: { status: number }) => status >= 200 && status < 400;
const withAccess = (...accesses: Operation['access'][]) =>
  operations.filter(({ access }) => accesses.includes(access));

test('every route of the application is described, and every description has a route', () => {
  const described = operations.map(({ name }) => name);
  // HEAD is described only where it differs from GET.
  const heads = described
    .filter((name) => name.startsWith('GET '))
    .map((name) => name.replace('GET', 'HEAD'));
  expect([...new Set([...described, ...heads])].sort()).toEqual(listRoutes(fixture.platform.app));
});

test('AUTH-01 AUTH-05 every non-public route rejects a valid request without a token', async () => {
  for (const operation of withAccess('USER', 'ADMIN')) {
    expect(await send(operation, 'ADMIN', { caller: refused.ADMIN, token: { instead: undefined } })).toEqual(
      forbidden(operation.name, 401, 'AUTHORIZATION_REQUIRED'),
    );
  }
});

test('AUTH-05 every non-public route rejects a valid request with an unknown token', async () => {
  for (const operation of withAccess('USER', 'ADMIN')) {
    expect(
      await send(operation, 'ADMIN', { caller: refused.ADMIN, token: { instead: 'a'.repeat(64) } }),
    ).toEqual(forbidden(operation.name, 401, 'INVALID_TOKEN'));
  }
});

test('AUTH-02 AUTH-03 every public route serves a valid request with any token and with none', async () => {
  for (const operation of withAccess('PUBLIC')) {
    for (const instead of [undefined, 'a'.repeat(64)]) {
      const answer = await send(operation, 'USER', { token: { instead } });
      // The purpose of this route is to check for a token.
      if (operation.name === 'HEAD /users/accessTokens') expect(answer.status).toBe(404);
      else expect(answer).toSatisfy(isServed);
    }
    expect(await send(operation, 'USER')).toSatisfy(isServed);
    expect(await send(operation, 'ADMIN')).toSatisfy(isServed);
  }
});

test('AUTH-14 every USER route serves a valid request of a USER and of an ADMIN', async () => {
  for (const operation of withAccess('USER')) {
    expect(await send(operation, 'USER')).toSatisfy(isServed);
    expect(await send(operation, 'ADMIN')).toSatisfy(isServed);
  }
});

test('AUTH-15 USER-06 every ADMIN route rejects a USER, whatever the USER sends, and serves an ADMIN', async () => {
  const routes = withAccess('ADMIN');
  const extensions = ['POST /extensions', 'PATCH /extensions', 'POST /extensions/next-available'];
  expect(routes.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['PATCH /accounts', 'POST /users', ...extensions]),
  );
  for (const operation of routes) {
    expect(await send(operation, 'USER', { caller: refused.USER })).toEqual(
      forbidden(operation.name, 403, 'ACCESS_DENIED'),
    );
    expect(await send(operation, 'ADMIN')).toSatisfy(isServed);
    const nonsense = { query: { nonsense: '1' }, ...(operation.body ? { body: { nonsense: 1 } } : {}) };
    const path = operation.path.replaceAll(/[{}]/g, '');
    const answer = await refused.USER.client.request(operation.method, path, nonsense);
    expect([operation.name, answer.status]).toEqual([operation.name, 403]);
  }
});
