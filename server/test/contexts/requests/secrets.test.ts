import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleRequest, requestOptions } from '../../harness/example-request.ts';
import { flushRequests } from '../../harness/fixtures/requests.ts';
import { startTenancyFixture, type TenancyFixture } from '../../harness/fixtures/tenancy.ts';
import { listOperations, listProperties } from '../../harness/operations.ts';

let fixture: TenancyFixture;

beforeAll(async () => {
  fixture = await startTenancyFixture();
});
afterAll(() => fixture.platform.close());

const readRows = async (): Promise<string[]> =>
  (
    await fixture.platform.database.query<{ row: string }>('select to_jsonb(r)::text as row from requests r')
  ).map(({ row }) => row);

/** Replaces every text inside a value by the canary. */
function planted(value: unknown, canary: string): unknown {
  if (typeof value === 'string') return canary;
  if (Array.isArray(value)) return value.map((item) => planted(item, canary));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, planted(item, canary)]));
}

test('REQLOG-02 no value of any path, query, header or body of any route is stored', async () => {
  const { platform, ours } = fixture;
  const canary = 'canary-5511987654321';
  let sent = 0;
  for (const operation of listOperations(platform.document)) {
    const caller = await fixture.addUser('ADMIN');
    const request = exampleRequest(operation, await fixture.referencesFor(operation, caller, 'ADMIN'));
    const bodies = [
      planted(request.body, canary),
      ...listProperties(operation.body).map(([name]) => ({ ...request.body, [name]: canary })),
      { ...request.body, unknown_field: canary },
    ];
    for (const body of operation.body ? bodies : [undefined]) {
      await caller.client.request(operation.method, operation.path.replaceAll(/\{\w+\}/g, canary), {
        query: {
          ...request.query,
          filter: JSON.stringify({ where: { name: canary } }),
          access_token: canary,
        },
        headers: { ...request.headers, cookie: canary, 'x-other': canary, 'idempotency-key': canary },
        ...(body === undefined ? {} : { body }),
      });
      const options = requestOptions({ ...request, body: body as Record<string, unknown> | undefined });
      await caller.client.request(operation.method, request.path, options);
      sent += 2;
    }
  }
  await flushRequests(platform);
  const rows = await readRows();
  expect(sent).toBeGreaterThan(200);
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((row) => row.includes('canary'))).toEqual([]);
  const tokens = await platform.database.query<{ hash: string }>(
    `select encode(hash, 'hex') as hash from access_tokens`,
  );
  const secrets = [ours.admin.token, 'correct horse battery', ...tokens.map(({ hash }) => hash)];
  for (const secret of secrets) expect(rows.filter((row) => row.includes(secret))).toEqual([]);
});
