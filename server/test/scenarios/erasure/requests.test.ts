import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportAccount } from '../../../src/contexts/accounts/index.ts';
import {
  type ErasureFixture,
  readTexts,
  startErasureFixture,
  tablesNaming,
} from '../../harness/fixtures/erasure.ts';
import { flushRequests } from '../../harness/fixtures/requests.ts';
import { createAccount } from '../../harness/people.ts';

let fixture: ErasureFixture;

beforeAll(async () => {
  fixture = await startErasureFixture();
});
afterAll(() => fixture.close());

async function exportedRequests(name: string): Promise<Record<string, unknown>[]> {
  const pieces: string[] = [];
  const deps = { db: fixture.operatorDb, clock: fixture.platform.clock };
  await exportAccount(deps, name, async (text) => {
    pieces.push(text);
  });
  return JSON.parse(pieces.join('')).requests;
}

test('REQLOG-08 the export of an account contains its requests and no others', async () => {
  const { platform } = fixture;
  const [account, other] = [await createAccount(platform), await createAccount(platform)];
  await account.admin.client.patch('/accounts', { nome: 'Exportada' });
  await other.admin.client.patch('/accounts', { name: 'Outra' });
  await flushRequests(platform);
  expect(await exportedRequests(account.domain)).toEqual([
    expect.objectContaining({
      user_uuid: account.admin.uuid,
      method: 'PATCH',
      route: '/accounts',
      status: 422,
      error_code: 'VALIDATION_ERROR',
      invalid_fields: ['nome'],
      address: account.admin.client.address,
    }),
  ]);
});

test('REQLOG-08 erasure by e-mail deletes the requests of the user, with their address, and no others', async () => {
  const { platform, account, erase } = fixture;
  const [gone, kept] = [await account.addUser(), await account.addUser()];
  for (const { client } of [gone, kept]) await client.patch('/users', { name: 'Bia' });
  await flushRequests(platform);
  const isNamed = async (word: string) =>
    tablesNaming(await readTexts(platform, account.id), word).includes('requests');
  expect([await isNamed(gone.uuid), await isNamed(kept.uuid)]).toEqual([true, true]);
  expect(await erase({ email: gone.email })).toMatchObject({ users: 1, requests: 1 });
  expect([await isNamed(gone.uuid), await isNamed(gone.client.address)]).toEqual([false, false]);
  expect(await isNamed(kept.uuid)).toBe(true);
});

test('REQLOG-08 erasure by number deletes requests whose field or token names contain it', async () => {
  const { platform, account, erase } = fixture;
  const phone = '5511955553333';
  const { client } = await account.addUser();
  await client.patch('/users', { [phone]: true });
  const { body } = await client.post('/users/accessTokens', { name: `Zap ${phone}` });
  await client.as(body.id).patch('/users', { name: 'Bia' });
  await flushRequests(platform);
  expect(await erase({ phone })).toMatchObject({ requests: 2 });
  const { requests } = await readTexts(platform, account.id);
  expect(requests).not.toContain(phone);
  expect(requests).toContain('/users/accessTokens');
});
