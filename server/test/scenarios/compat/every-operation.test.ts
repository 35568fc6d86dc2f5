import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestOptions } from '../../harness/client.ts';
import { type ExampleRequest, exampleRequest, requestOptions } from '../../harness/example-request.ts';
import { startTenancyFixture, type TenancyFixture } from '../../harness/fixtures/tenancy.ts';
import { listOperations, type Operation } from '../../harness/operations.ts';

let fixture: TenancyFixture;
let operations: Operation[];

beforeAll(async () => {
  fixture = await startTenancyFixture();
  operations = listOperations(fixture.platform.document);
});
afterAll(() => fixture.platform.close());

const isServed = (status: number) => status >= 200 && status < 400;

type Change = (options: RequestOptions) => object;

/** Returns a function that sends the changed example of an operation as an ADMIN. */
async function prepare(operation: Operation, change: Change) {
  const caller = await fixture.callerFor(operation, 'ADMIN');
  const request = exampleRequest(operation, await fixture.referencesFor(operation, caller, 'ADMIN'));
  const options = requestOptions(request);
  return async (handling: string) =>
    await caller.client.request(request.method, request.path, {
      ...options,
      ...change(options),
      headers: { ...request.headers, prefer: `handling=${handling}` },
    });
}

const plainNumber = /^(?:0|[1-9]\d{0,14})$/;

/** Returns a scalar in its other type: a number or boolean as a string, digits as a number. */
function retyped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(retyped);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && plainNumber.test(value)) return Number(value);
  return typeof value === 'object' && value !== null ? retypedFields(value) : value;
}

const freeForm = ['metadata', 'webhookConstraint'];

const retypedFields = (body: object): object =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, freeForm.includes(name) ? value : retyped(value)]),
  );

test('COMPAT-03 every operation accepts its example with every scalar in its other type', async () => {
  let changed = 0;
  for (const handling of ['strict', 'lenient'])
    for (const operation of operations.filter(({ body }) => body && !isNotification(body))) {
      const send = await prepare(operation, ({ body }) => {
        const other = retypedFields(body as ExampleRequest['body'] & object);
        if (JSON.stringify(other) !== JSON.stringify(body)) changed += 1;
        return { body: other };
      });
      const answer = await send(handling);
      expect([operation.name, handling, answer.text, isServed(answer.status)]).toEqual([
        ...[operation.name, handling, answer.text, true],
      ]);
    }
  // Calls, extensions, tokens, charges, caller ids, users and accounts have such fields.
  expect(changed).toBeGreaterThan(20);
});

test('COMPAT-01 COMPAT-02 every operation refuses or ignores an unknown parameter and field', async () => {
  for (const operation of operations) {
    // A notification of a gateway may have any field.
    const takesField = operation.body !== undefined && !isNotification(operation.body);
    const change: Change = ({ body, query }) => ({
      query: { ...query, other: '1' },
      ...(takesField ? { body: { ...(body as object), unknown: 1 } } : {}),
    });
    const send = await prepare(operation, change);
    // First, because a refused request changes nothing.
    const strict = await send('strict');
    expect([operation.name, strict.status, strict.headers['disca-ignored']]).toEqual([
      ...[operation.name, takesField ? 422 : 400, undefined],
    ]);
    const lenient = await send('lenient');
    expect([operation.name, lenient.status, lenient.headers['disca-ignored']]).toEqual([
      operation.name,
      lenient.status,
      takesField ? 'unknown, other' : 'other',
    ]);
    expect([operation.name, lenient.text, isServed(lenient.status)]).toEqual([
      ...[operation.name, lenient.text, true],
    ]);
  }
});

const isNotification = (body: object): boolean => 'x-kind' in body && body['x-kind'] === 'gateway-event';
