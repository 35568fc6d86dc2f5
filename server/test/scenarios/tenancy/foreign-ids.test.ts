import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../../harness/client.ts';
import {
  exampleRequest,
  type References,
  requestOptions,
  unknownKind,
} from '../../harness/example-request.ts';
import { type Role, startTenancyFixture, type TenancyFixture } from '../../harness/fixtures/tenancy.ts';
import {
  listOperations,
  listProperties,
  type Operation,
  type ReferencePlace,
  referencePlaces,
} from '../../harness/operations.ts';
import type { Person, TestAccount } from '../../harness/people.ts';
import { kinds } from './kinds.ts';
import { readColumns } from './rows.ts';

let fixture: TenancyFixture;
let operations: Operation[];

beforeAll(async () => {
  fixture = await startTenancyFixture();
  operations = listOperations(fixture.platform.document);
});
afterAll(() => fixture.platform.close());

const kindOf = (name: string) => kinds[name] ?? unknownKind(name);
const allowedRoles = (operation: Operation): Role[] =>
  operation.access === 'ADMIN' ? ['ADMIN'] : ['USER', 'ADMIN'];

interface Sender {
  caller: Person;
  references: References;
}

async function createSender(operation: Operation, role: Role): Promise<Sender> {
  const caller = await fixture.callerFor(operation, role);
  return { caller, references: await fixture.referencesFor(operation, caller, role) };
}

/** Sends a request that is valid except for the object it refers to in one position. */
async function sendNaming(
  { caller, references }: Sender,
  operation: Operation,
  place: ReferencePlace,
  id?: string,
): Promise<Answer> {
  const request = exampleRequest(operation, (kind) =>
    kind === place.kind && id !== undefined ? id : references(kind),
  );
  // With the correct password an e-mail logs in, as intended; this test covers the response to a wrong password.
  if (place.kind === 'email' && id !== undefined) spoilSecrets(operation, request.body ?? {});
  return await caller.client.request(request.method, request.path, requestOptions(request));
}

function spoilSecrets(operation: Operation, body: Record<string, unknown>): void {
  const secrets = listProperties(operation.body).filter(([, schema]) => schema.writeOnly === true);
  for (const [name] of secrets) body[name] = 'not the password';
}

/** Returns everything that a client can see of a response, except values that differ between any two requests. */
function visible({ status, headers, text }: Answer) {
  const isConstant = (name: string) => !/^(x-request-id|date|ratelimit-.*)$/.test(name);
  const constant = Object.entries(headers).filter(([name]) => isConstant(name));
  return { status, text, headers: Object.fromEntries(constant) };
}

function* placesOf(all: Operation[]): Generator<[Operation, ReferencePlace, Role]> {
  for (const operation of all) {
    for (const place of referencePlaces(operation)) {
      for (const role of allowedRoles(operation)) yield [operation, place, role];
    }
  }
}

test('every path parameter declares what it refers to', () => {
  for (const operation of operations) {
    const named = referencePlaces(operation).filter((place) => place.in === 'path');
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect([operation.name, named.length]).toEqual([operation.name, inPath.length]);
  }
});

test('ERR-07 USER-12 USER-17 a foreign object responds as a missing one, byte for byte, on every route', async () => {
  let pairs = 0;
  for (const [operation, place, role] of placesOf(operations)) {
    const kind = kindOf(place.kind);
    const sender = await createSender(operation, role);
    const missing = visible(await sendNaming(sender, operation, place, kind.missing()));
    for (const id of await kind.foreign(fixture)) {
      const foreign = visible(await sendNaming(sender, operation, place, id));
      expect([operation.name, role, foreign]).toEqual([operation.name, role, missing]);
      pairs += 1;
    }
    const status = kind.missingStatus ?? 404;
    // Routes that are not public authenticate the caller first: an ADMIN gets 404, and a USER may get 403.
    if (operation.access !== 'PUBLIC' && role === 'ADMIN') expect(missing.status).toBe(status);
    if (operation.access !== 'PUBLIC' && role === 'USER') expect([403, status]).toContain(missing.status);
  }
  expect(pairs).toBeGreaterThan(10);
});

test('ERR-07 TOKEN-13 a malformed id responds as a missing one on every route', async () => {
  for (const [operation, place, role] of placesOf(operations)) {
    const kind = kindOf(place.kind);
    const sender = await createSender(operation, role);
    const missing = visible(await sendNaming(sender, operation, place, kind.missing()));
    for (const id of kind.malformed) {
      const malformed = visible(await sendNaming(sender, operation, place, id));
      expect([operation.name, role, id, malformed]).toEqual([operation.name, role, id, missing]);
    }
  }
});

test('ERR-03 an undecodable path responds like any other unknown one', async () => {
  for (const path of ['/users/%', '/users/%zz', '/users/accessTokens/%ff', '/%c3%28', '/%']) {
    const answer = await fixture.ours.admin.client.delete(path);
    expect([path, visible(answer)]).toEqual([
      path,
      visible(await fixture.ours.admin.client.delete('/nothing/here')),
    ]);
    expect(answer.headers['x-request-id']).toBeDefined();
  }
});

test('the same requests succeed with an object of the caller', async () => {
  for (const [operation, place, role] of placesOf(operations)) {
    const { status } = await sendNaming(await createSender(operation, role), operation, place);
    expect([operation.name, role, status < 400]).toEqual([operation.name, role, true]);
  }
});

/** Returns the values that identify their account: ids, addresses and the prefixes of secrets. */
async function collectWords(account: TestAccount): Promise<string[]> {
  const columns = await readColumns(fixture.platform.database);
  const tables = columns.filter(({ name }) => name === 'account_id').map(({ table }) => table);
  const words = new Set([account.uuid, account.domain]);
  for (const table of tables) {
    const rows = await fixture.platform.database.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from "${table}" t where account_id = $1`,
      [account.id],
    );
    for (const [name, value] of rows.flatMap(({ row }) => Object.entries(row))) {
      const isTelling = /^[0-9a-f-]{36}$|@/.test(String(value)) || ['prefix', 'payment_id'].includes(name);
      if (typeof value === 'string' && value.length >= 8 && isTelling) words.add(value);
    }
  }
  return [...words];
}

test('ERR-07 no response contains anything of another account, whatever the filter', async () => {
  for (const kind of Object.values(kinds)) await kind.foreign(fixture);
  const words = await collectWords(fixture.theirs);
  expect(words.length).toBeGreaterThan(10);
  const { uuid, email } = fixture.theirs.admin;
  const theirs = [{ uuid }, { email }, { actorUuid: uuid }, { or: [{ uuid }, { email }] }];
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const takesFilter = operation.parameters.some(({ name }) => name === 'filter');
    const filters = takesFilter ? [{}, ...theirs].map((where) => ({ where })) : [undefined];
    for (const filter of filters) {
      const references = await fixture.referencesFor(operation, fixture.ours.admin, 'ADMIN');
      const request = exampleRequest(operation, references);
      if (filter) request.query.filter = JSON.stringify(filter);
      const answer = await fixture.ours.admin.client.get(request.path, requestOptions(request));
      const text = answer.status === 200 ? answer.text : '';
      expect([operation.name, words.filter((word) => text.includes(word))]).toEqual([operation.name, []]);
    }
  }
});
