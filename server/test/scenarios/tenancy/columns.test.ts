import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleRequest, gatewayEvent, requestOptions } from '../../harness/example-request.ts';
import { type Role, startTenancyFixture, type TenancyFixture } from '../../harness/fixtures/tenancy.ts';
import { listOperations, listProperties, type Operation } from '../../harness/operations.ts';
import type { Person } from '../../harness/people.ts';
import { type Column, type Difference, differences, readColumns, snapshot } from './rows.ts';

let fixture: TenancyFixture;
let columns: Column[];
let writing: Operation[];

beforeAll(async () => {
  fixture = await startTenancyFixture();
  columns = await readColumns(fixture.platform.database);
  writing = listOperations(fixture.platform.document).filter(({ body }) => body !== undefined);
});
afterAll(() => fixture.platform.close());

const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const listSpellings = (name: string): string[] => [...new Set([name, camelCase(name)])];
const listFields = (operation: Operation, isReadOnly: boolean): string[] =>
  listProperties(operation.body)
    .filter(([, schema]) => (schema.readOnly === true) === isReadOnly)
    .map(([name]) => name);

/** Notifications from other systems may have unknown fields. */
const isOpen = ({ body }: Operation): boolean =>
  body?.type === 'object' && body.additionalProperties !== false;

/** Values that the column accepts and that no request writes otherwise. */
const planted: Record<string, unknown> = {
  bool: true,
  int4: 987_654,
  int8: 987_654_321,
  jsonb: { planted: true },
  text: 'planted',
  timestamptz: '2001-02-03T04:05:06+00:00',
  uuid: '01010101-0101-7101-8101-010101010101',
};
// For enumerations, the value that an attacker would want most.
const words: Record<string, string> = { role: 'ADMIN', status: 'closed', mode: 'live', locale: 'en' };
const valueFor = ({ name, type }: Column): unknown => words[name] ?? planted[type] ?? 'planted';

async function send(operation: Operation, role: Role, extra: Record<string, unknown>) {
  const caller: Person = await fixture.addUser(role);
  const request = exampleRequest(operation, await fixture.referencesFor(operation, caller, role));
  const body = { ...request.body, ...extra };
  // Advances, so that timestamps differ from earlier ones even within the same second.
  fixture.platform.clock.advance(1);
  const before = await snapshot(fixture.platform.database, columns);
  const answer = await caller.client.request(
    request.method,
    request.path,
    requestOptions({ ...request, body }),
  );
  return { answer, written: differences(before, await snapshot(fixture.platform.database, columns)) };
}

/** Yields each column that is not a field of the operation, in both spellings. */
function* injections(operation: Operation): Generator<{ column: Column; name: string }> {
  const own = isOpen(operation) ? Object.keys(gatewayEvent) : listFields(operation, false);
  const distinct = new Map(columns.map((column) => [column.name, column]));
  for (const column of distinct.values()) {
    for (const name of listSpellings(column.name)) if (!own.includes(name)) yield { column, name };
  }
}

test('the inspected tables include roles, passwords, modes and tokens', () => {
  const names = columns.map(({ table, name }) => `${table}.${name}`);
  const keyless = columns.filter(({ table }) => !columns.some((each) => each.table === table && each.isKey));
  expect(keyless).toEqual([]);
  expect(names).toEqual(
    expect.arrayContaining(['users.role', 'users.password_hash', 'accounts.mode', 'access_tokens.hash']),
  );
});

/** All faults of a request are reported, so several columns are tried together. */
const chunk = 40;

interface Fault {
  code: string;
  path: string;
}

test('ERR-11 rejects a column that is not a field, in every body and both spellings, and writes nothing', async () => {
  let refusals = 0;
  for (const operation of writing) {
    if (isOpen(operation)) continue;
    const readOnly = listFields(operation, true);
    const caller = await fixture.addUser('ADMIN');
    const request = exampleRequest(operation, await fixture.referencesFor(operation, caller, 'ADMIN'));
    const before = await snapshot(fixture.platform.database, columns);
    const unknown = [...injections(operation)].filter(({ name }) => !readOnly.includes(name));
    for (let at = 0; at < unknown.length; at += chunk) {
      const planted = unknown.slice(at, at + chunk);
      const extra = Object.fromEntries(planted.map(({ column, name }) => [name, valueFor(column)]));
      const answer = await caller.client.request(
        request.method,
        request.path,
        requestOptions({ ...request, body: { ...request.body, ...extra } }),
      );
      const faults = answer.body?.error?.details?.map(({ code, path }: Fault) => `${code} ${path}`);
      const expected = planted.map(({ name }) => `unknown_field ${name}`);
      expect([operation.name, answer.status, faults]).toEqual([operation.name, 422, expected]);
      refusals += planted.length;
    }
    expect(differences(before, await snapshot(fixture.platform.database, columns))).toEqual([]);
  }
  expect(refusals).toBeGreaterThan(300);
});

const isPlanted = (difference: Difference, column: Column): boolean =>
  difference.column === column.name && JSON.stringify(difference.value) === JSON.stringify(valueFor(column));

const qualifiedName = ({ table, column }: Difference): string => `${table}.${column}`;

test('ERR-11 accepts and ignores a read-only field: the request writes the same as without it', async () => {
  let ignored = 0;
  for (const operation of writing) {
    const readOnly = listFields(operation, true);
    const planted = [...injections(operation)].filter(
      ({ name }) => isOpen(operation) || readOnly.includes(name),
    );
    const extra = Object.fromEntries(planted.map(({ column, name }) => [name, valueFor(column)]));
    const plain = await send(operation, 'ADMIN', {});
    const { answer, written } = await send(operation, 'ADMIN', extra);
    expect([operation.name, answer.status < 300]).toEqual([operation.name, true]);
    for (const { column } of planted) {
      expect([operation.name, written.filter((each) => isPlanted(each, column))]).toEqual([
        operation.name,
        [],
      ]);
    }
    expect(plain.written.map(qualifiedName)).toEqual(expect.arrayContaining(written.map(qualifiedName)));
    ignored += planted.length;
  }
  expect(ignored).toBeGreaterThan(8);
});

test('USER-13 no column sent by a USER changes the user’s own rights or identity', async () => {
  const ownFields = ['name', 'email', 'phone', 'locale', 'updated_at'];
  const isProtected = ({ table, column, isNewRow }: Difference): boolean =>
    !isNewRow && ['users', 'accounts', 'access_tokens'].includes(table) && !ownFields.includes(column);
  const { client } = await fixture.addUser('USER');
  const before = await snapshot(fixture.platform.database, columns);
  const distinct = new Map(columns.map((column) => [column.name, column]));
  for (const column of distinct.values()) {
    for (const name of listSpellings(column.name)) {
      // The address is verified, so that only the opposite would change anything.
      const value = name === 'emailVerified' ? false : valueFor(column);
      const { status } = await client.patch('/users', { [name]: value });
      const isForAdmins = ['role', 'emailVerified', 'uuid'].includes(name);
      expect([name, isForAdmins ? [403] : [200, 422]]).toEqual([name, expect.arrayContaining([status])]);
    }
  }
  const written = differences(before, await snapshot(fixture.platform.database, columns));
  expect(written.filter(isProtected)).toEqual([]);
});
