import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleRequest, requestOptions } from '../../harness/example-request.ts';
import { startTenancyFixture, type TenancyFixture } from '../../harness/fixtures/tenancy.ts';
import { listOperations } from '../../harness/operations.ts';

let fixture: TenancyFixture;

beforeAll(async () => {
  fixture = await startTenancyFixture();
});
afterAll(() => fixture.platform.close());

const texts = ['\0', 'a\0b', '\ud800', 'a\udc00b', '\u2028', '\uffff', '\x7f', '', ' ', 'a'.repeat(5000)];

test('ERR-09 no body field or parameter with unstorable text causes a server error', async () => {
  const { client } = fixture.ours.admin;
  for (const operation of listOperations(fixture.platform.document)) {
    const references = await fixture.referencesFor(operation, fixture.ours.admin, 'USER');
    // Uses another user, because logging out would revoke the token that the next requests need.
    const own = operation.path.endsWith('/logout') ? (await fixture.addUser('USER')).client : client;
    for (const text of texts) {
      const request = exampleRequest(operation, references);
      for (const name of Object.keys(request.body ?? {})) {
        const body = { ...request.body, [name]: text };
        const answer = await own.request(request.method, request.path, requestOptions({ ...request, body }));
        expect([operation.name, name, text, answer.status < 500]).toEqual([operation.name, name, text, true]);
      }
      for (const { name } of operation.parameters.filter((each) => each.in === 'query')) {
        const query = { ...request.query, [name]: text.toWellFormed() };
        const answer = await own.request(request.method, request.path, requestOptions({ ...request, query }));
        expect([operation.name, name, text, answer.status < 500]).toEqual([operation.name, name, text, true]);
      }
    }
  }
});

test('rejects a name with half a surrogate pair', async () => {
  const answer = await fixture.ours.admin.client.patch('/users', { name: 'Ana \ud800' });
  expect([answer.status, answer.body.error.details[0].path]).toEqual([422, 'name']);
});
