import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleRequest } from '../../server/test/harness/example-request.ts';
import { startTenancyFixture, type TenancyFixture } from '../../server/test/harness/fixtures/tenancy.ts';
import { listOperations, type Operation } from '../../server/test/harness/operations.ts';
import { Disca } from '../src/index.ts';
import { addressOf } from './harness/service.ts';
import { uses } from './uses.ts';

let tenancy: TenancyFixture;
let operations: Operation[];
beforeAll(async () => {
  tenancy = await startTenancyFixture();
  // The mail worker calls the API, so it must listen.
  await tenancy.platform.mail();
  operations = listOperations(tenancy.platform.document);
});
afterAll(() => tenancy.platform.close());

/** Maps a request to its path template in the API description. */
function operationOf(request: Request): string {
  const path = new URL(request.url).pathname.replace('/api/v1', '');
  const fits = ({ path: template, method }: Operation) =>
    method === request.method && new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  // A template without parameters is preferred.
  const parameterCount = ({ path: template }: Operation) => template.split('{').length;
  const [operation] = operations.filter(fits).sort((a, b) => parameterCount(a) - parameterCount(b));
  return operation?.name ?? `${request.method} ${path}`;
}

function parametersIn(operation: Operation, path: string): Record<string, string> {
  const pattern = operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const { groups = {} } = new RegExp(`^${pattern}$`).exec(path) ?? {};
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
}

test('the SDK covers every operation of the API, and nothing else', () => {
  expect(Object.keys(uses).sort()).toEqual(operations.map(({ name }) => name).sort());
});

test('every SDK method calls its operation once and succeeds', async () => {
  for (const operation of operations) {
    const caller = await tenancy.addUser('ADMIN');
    const request = exampleRequest(operation, await tenancy.referencesFor(operation, caller, 'ADMIN'));
    const asked: string[] = [];
    const disca = new Disca({
      baseUrl: addressOf(tenancy.platform),
      token: caller.token,
      retries: 0,
      fetch: async (input, init) => {
        asked.push(operationOf(new Request(input, init)));
        return await fetch(input, { ...init, headers: { ...request.headers, ...init?.headers } });
      },
    });
    const { path, query, body } = request;
    const given = { place: parametersIn(operation, path), query, body: body as never };
    const used = uses[operation.name]?.(disca, given);
    await expect(used, operation.name).resolves.not.toThrow();
    expect(asked, operation.name).toEqual([operation.name]);
  }
});
