import { afterAll, beforeAll, expect, test } from 'vitest';
import { needsProof } from '../../../../src/platform/scopes.ts';
import { listOperations, type Operation } from '../../../harness/operations.ts';
import { createAccount, type Person, password, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';
import { findNeedlessExceptions, findUndeclared } from './sensitive.ts';

const proofSeconds = 600;
let platform: Platform;
let account: TestAccount;
let guarded: Operation[];
let session: { headers: Record<string, string> };

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  platform.clock.freeze();
  guarded = listOperations(platform.document).filter(({ access }) => access !== 'PUBLIC');
  session = await openConsole(account.admin);
});
afterAll(() => platform.close());

async function openConsole({ email }: Person) {
  const { headers } = await platform.client().post('/console/session', { email, password });
  const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
  return { headers: { cookie, 'x-disca-console': '1' } };
}

/** Sends a request that is refused after the check of the proof, so that it changes nothing. */
async function send({ method, path }: Operation, token?: string, fields: readonly string[] = []) {
  const sent = token === undefined ? session : { token };
  const body = Object.fromEntries(fields.map((name) => [name, null]));
  const { body: answer, status } = await platform.client().request(method, path.replaceAll(/[{}]/g, ''), {
    ...sent,
    query: { planted: '1' },
    ...(fields.length > 0 ? { body } : {}),
  });
  const code: string = answer?.error?.errorCode ?? '';
  if (code === 'PROOF_REQUIRED') return 'asked';
  return status === 400 || status === 422 ? 'admitted' : `served: ${status}`;
}

/** Returns the operations that ask, or do not ask, other than they declare. */
async function findHoles(operations: Operation[], isFresh: boolean, token?: string): Promise<string[]> {
  const holes: string[] = [];
  for (const operation of operations) {
    const { name, proof, proofFields } = operation;
    const needs = !isFresh && (proof === 'all' || (proof === 'console' && token === undefined));
    const got = await send(operation, token, proofFields);
    if (got !== (needs ? 'asked' : 'admitted')) holes.push(`${name}: ${got}`);
    if (proofFields && (await send(operation, token)) !== 'admitted') holes.push(`${name} without fields`);
  }
  return holes;
}

test('FACTOR-15 FACTOR-16 FACTOR-09 the sensitive routes, and no others, declare that they need a proof', () => {
  const declared = (proof: string) =>
    guarded
      .filter((each) => each.proof === proof)
      .map(({ name, proofFields }) => [name, ...(proofFields ?? [])].join(' '))
      .sort();
  expect(declared('console')).toEqual([
    'DELETE /accounts/accessTokens/{prefix}',
    'DELETE /accounts/sso',
    'DELETE /callerIds/{id}',
    'DELETE /users/accessTokens/{prefix}',
    'DELETE /users/{uuid}',
    'GET /integrations/{id}/secret',
    'PATCH /accounts secondFactorRequired',
    'PATCH /extensions senha',
    'PATCH /users email emailVerified role',
    'POST /accounts/accessTokens',
    'POST /accounts/financial',
    'POST /accounts/sso/check-domain',
    'POST /callerIds',
    'POST /callerIds/{id}/verify',
    'POST /console/sso/test',
    'POST /extensions/{id}/reveal',
    'POST /integrations/{id}/secret/rotate',
    'POST /users',
    'POST /users/accessTokens',
    'POST /users/change-password',
    'POST /users/invitations',
    'PUT /accounts/financial',
    'PUT /accounts/sso',
    'PUT /users/{uuid}/permissions',
  ]);
  expect(declared('all')).toEqual([
    'DELETE /users/me/factors/{id}',
    'DELETE /users/{uuid}/factors',
    'POST /users/me/factors/passkey',
    'POST /users/me/factors/passkey/start',
    'POST /users/me/factors/recovery-codes',
    'POST /users/me/factors/totp',
    'POST /users/me/factors/totp/start',
  ]);
});

test('FACTOR-15 a fresh console session is admitted everywhere, a stale one is asked where declared', async () => {
  platform.clock.advance(proofSeconds);
  expect(await findHoles(guarded, true)).toEqual([]);
  platform.clock.advance(1);
  expect(await findHoles(guarded, false)).toEqual([]);
  const proved = await platform.client().post('/users/me/proof', { password }, session);
  expect(proved.status).toBe(204);
  expect(await findHoles(guarded, true)).toEqual([]);
});

test('FACTOR-15 tokens other than console sessions are not asked', async () => {
  platform.clock.advance(proofSeconds + 1);
  expect(await findHoles(guarded, false, account.admin.token)).toEqual([]);
});

test('FACTOR-15 FACTOR-16 every operation that changes credentials, roles or payment data declares a proof', () => {
  expect(findUndeclared(guarded)).toEqual([]);
  expect(findNeedlessExceptions(guarded)).toEqual([]);
});

test('FACTOR-15 an operation that returns a secret without a proof is found, at any depth', () => {
  const [audit] = guarded.filter(({ name }) => name === 'GET /audit');
  if (!audit) throw new Error('There is no GET /audit.');
  const returning = (schema: object): Operation => ({
    ...audit,
    responses: { 200: { description: '', content: { 'application/json': { schema: { ...schema } } } } },
  });
  const senha = { type: 'object', properties: { senha: { type: 'string' } } };
  const list = { type: 'array', items: { anyOf: [{ type: 'null' }, senha] } };
  const typed = { properties: { data: { properties: { pin: { type: 'string', format: 'password' } } } } };
  const planted = [senha, list, typed].map(returning);
  expect(findUndeclared(planted)).toEqual([
    'GET /audit: returns senha',
    'GET /audit: returns senha',
    'GET /audit: returns pin',
  ]);
  expect(findUndeclared(planted.map((each) => ({ ...each, proof: 'console' })))).toEqual([]);
  const reading = planted.map((each) => ({ ...each, proof: 'console' as const, proofFields: ['senha'] }));
  expect(findUndeclared(reading)).toHaveLength(3);
});

test('FACTOR-15 an operation that does not declare its proof is found, whichever it is', () => {
  const declared = guarded.filter(({ proof }) => proof !== undefined);
  expect(declared.length).toBeGreaterThan(20);
  for (const operation of declared) {
    const [found] = findUndeclared([{ ...operation, proof: undefined }]);
    expect(found).toMatch(operation.name);
  }
  const halfDeclared = guarded
    .filter(({ name }) => name === 'PATCH /users')
    .map((each) => ({ ...each, proofFields: ['role'] }));
  expect(findUndeclared(halfDeclared)).toEqual(['PATCH /users: email', 'PATCH /users: emailVerified']);
});

test('FACTOR-15 the matrix finds a route that does not ask', async () => {
  platform.clock.advance(proofSeconds + 1);
  const planted = guarded
    .filter(({ name }) => name === 'GET /audit')
    .map((each) => ({ ...each, proof: 'all' as const }));
  expect(await findHoles(planted, false)).toEqual(['GET /audit: admitted']);
});

test('FACTOR-15 a stale session changes nothing', async () => {
  platform.clock.advance(proofSeconds + 1);
  const client = platform.client();
  const { email } = account.admin;
  expect((await client.patch('/users', { email: 'mallory@example.com' }, session)).status).toBe(403);
  expect((await client.patch('/users', { name: 'Ana Maria' }, session)).status).toBe(200);
  expect((await client.get('/users/me', session)).body).toMatchObject({ email, name: 'Ana Maria' });
});

test('a guard asks for fields of the body only if it names some', () => {
  const guard = { role: 'USER', scope: 'users', needsUser: false } as const;
  const asks = (body: unknown) =>
    needsProof({ ...guard, proof: 'console', provenFields: ['email'] }, true, body);
  expect([asks({ email: null }), asks({ name: 'Ana' }), asks(undefined), asks(null)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(needsProof({ ...guard, proof: 'console' }, true, undefined)).toBe(true);
  expect(needsProof({ ...guard, proof: 'console' }, false, undefined)).toBe(false);
  expect(needsProof(guard, true, undefined)).toBe(false);
});
