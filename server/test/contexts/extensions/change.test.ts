import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { sealSenha } from '../../../src/contexts/extensions/senha.ts';
import { digestKeys } from '../../harness/digest-keys.ts';
import { extensionBody, markRegistered } from '../../harness/fixtures/extensions.ts';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;
let admin: Person;

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
  admin = account.admin;
});

const create = async (changes: Record<string, unknown> = {}) =>
  (await admin.client.post('/extensions', extensionBody(changes))).body;
const change = (body: Record<string, unknown>) => admin.client.patch('/extensions', body);
const read = async (id: number) => (await admin.client.get(`/extensions/${id}`)).body;
const pickErrors = (answer: { body: { error: { details: { path: string; code: string }[] } } }) =>
  answer.body.error.details.map(({ path, code }) => `${path} ${code}`);

async function readHa1(id: number): Promise<string | undefined> {
  const [row] = await platform.database.query<{ ramal: string; ha1_sealed: string }>(
    'select ramal, ha1_sealed from extensions where id = $1',
    [id],
  );
  return row && digestKeys.open({ username: row.ramal, domain: account.domain }, row.ha1_sealed);
}
const digest = (ramal: string, senha: string) =>
  createHash('md5').update(`${ramal}:${account.domain}:${senha}`).digest('hex');

test('EXT-03 changes each field of the given id separately, and returns the extension', async () => {
  const before = await create();
  const bystander = await create();
  const changes = {
    ramal: '3001',
    senha: 'outra-senha-1',
    bina: '551140028922',
    first_name: 'Eva',
    last_name: 'Lima',
    email_address: 'eva@empresa.test',
    gravar_audio: 1,
    auto_answer: 1,
  };
  let expected = before;
  for (const [name, value] of Object.entries(changes)) {
    expected = { ...expected, [name]: value };
    const answer = await change({ id: before.id, [name]: value });
    expect([answer.status, answer.body]).toEqual([200, expected]);
    expect(await read(before.id)).toEqual(expected);
  }
  expect(await read(bystander.id)).toEqual(bystander);
});

test('EXT-03 accepts the id as a number or as text; what was read can be sent back', async () => {
  const extension = await create({ bina: '5511', gravar_audio: 1 });
  const asText = await change({ id: String(extension.id), first_name: 'Rui' });
  expect([asText.status, asText.body.first_name]).toEqual([200, 'Rui']);
  const back = await change(asText.body);
  expect([back.status, back.body]).toEqual([200, asText.body]);
});

test('bug: EXT-02 EXT-03 null clears an optional field, and is refused for a required one', async () => {
  const { id } = await create({ bina: '551140028922', auto_answer: 1 });
  const cleared = await change({ id, bina: null, auto_answer: null });
  expect([cleared.status, cleared.body.bina, cleared.body.auto_answer]).toEqual([200, '', 0]);
  expect(await read(id)).toEqual(cleared.body);
  const created = await create({ bina: null, auto_answer: null });
  expect([created.bina, created.auto_answer]).toEqual(['', 0]);
  for (const name of ['ramal', 'senha', 'first_name', 'last_name', 'email_address', 'gravar_audio']) {
    const answer = await change({ id, [name]: null });
    expect([answer.status, pickErrors(answer).map((each) => each.split(' ')[0])]).toEqual([422, [name]]);
  }
});

test('the edge’s digest depends only on ramal and senha', async () => {
  const { id } = await create({ ramal: '3101', senha: 'primeira-senha' });
  expect(await readHa1(id)).toBe(digest('3101', 'primeira-senha'));
  await change({ id, ramal: '3102' });
  expect(await readHa1(id)).toBe(digest('3102', 'primeira-senha'));
  await change({ id, senha: 'segunda-senha' });
  expect(await readHa1(id)).toBe(digest('3102', 'segunda-senha'));
  await change({ id, first_name: 'Eva', gravar_audio: 1 });
  expect(await readHa1(id)).toBe(digest('3102', 'segunda-senha'));
});

test('EXT-22 keeps a common senha from before the rule, and refuses a new one', async () => {
  const common = '12345678';
  const before = await create();
  await platform.database.query('update extensions set senha_sealed = $1 where id = $2', [
    sealSenha(platform.api.base.keyRing, common),
    before.id,
  ]);
  const back = await change({ ...before, senha: common, first_name: 'Eva' });
  expect([back.status, back.body]).toEqual([200, { ...before, senha: common, first_name: 'Eva' }]);
  expect((await change({ id: before.id, last_name: 'Lima' })).status).toBe(200);
  const refused = await change({ id: before.id, senha: '123456789', first_name: 'Rui' });
  expect([refused.status, pickErrors(refused)]).toEqual([422, ['senha common_password']]);
  expect(await read(before.id)).toMatchObject({ senha: common, first_name: 'Eva' });
});

test('EXT-16 only a change of ramal or senha ends the existing registration', async () => {
  for (const [changes, registered] of [
    [{ senha: 'terceira-senha' }, false],
    [{ ramal: '3111' }, false],
    [{ first_name: 'Eva', bina: '5511' }, true],
  ] as const) {
    const { id } = await create();
    await markRegistered(platform, id);
    expect((await change({ id, ...changes })).body.registered).toBe(registered);
    expect((await read(id)).registered).toBe(registered);
  }
});

test('EXT-04 without an id creates a new extension, with every field that POST requires', async () => {
  const sent = extensionBody({ bina: '5511' });
  const { status, body } = await change(sent);
  expect([status, body]).toEqual([200, expect.objectContaining({ ...sent, id: expect.any(Number) })]);
  expect(await read(body.id)).toEqual(body);
  const incomplete = await change({ first_name: 'Eva', senha: 'outra-senha-1' });
  expect(incomplete.status).toBe(422);
  expect(pickErrors(incomplete)).toEqual(
    ['ramal', 'last_name', 'email_address', 'gravar_audio'].map((name) => `${name} required`),
  );
});

test('EXT-10 unknown and foreign ids both return 404, and nothing changes', async () => {
  const other = await createAccount(platform);
  const theirs = (await other.admin.client.post('/extensions', extensionBody())).body;
  const unknown = await change({ id: 999_999_999, first_name: 'Eva' });
  expect([unknown.status, unknown.body.error.errorCode]).toEqual([404, 'NOT_FOUND']);
  for (const id of [theirs.id, String(theirs.id), -1, 1.5, 'x', ' ', '9'.repeat(40), 1e30]) {
    const answer = await change({ id, first_name: 'Eva' });
    expect([id, answer.status, answer.text]).toEqual([id, 404, unknown.text]);
  }
  expect((await other.admin.client.get(`/extensions/${theirs.id}`)).body).toEqual(theirs);
  for (const id of [true, [], {}]) expect((await change({ id, ...extensionBody() })).status).toBe(422);
});

test('EXT-12 EXT-13 rejects a taken ramal, and a senha equal to the ramal', async () => {
  const taken = await create({ ramal: '3201' });
  const { id } = await create({ ramal: '32020202', senha: '32030303' });
  expect(pickErrors(await change({ id, ramal: taken.ramal }))).toEqual(['ramal duplicate']);
  expect(pickErrors(await change({ id, ramal: '32030303' }))).toEqual(['senha invalid']);
  expect(pickErrors(await change({ id, senha: '32020202' }))).toEqual(['senha invalid']);
  expect((await change({ id, senha: 'curta' })).status).toBe(422);
  expect((await change({ id, ramal: '32020202' })).status).toBe(200);
  expect(await read(id)).toMatchObject({ ramal: '32020202', senha: '32030303' });
});

test('EXT-17 returns one extension; an unknown, malformed or foreign id returns 404', async () => {
  const other = await createAccount(platform);
  const theirs = (await other.admin.client.post('/extensions', extensionBody())).body;
  const unknown = await admin.client.get('/extensions/999999999');
  expect(unknown.status).toBe(404);
  for (const id of [theirs.id, 'x', '1e3', '-1', '9'.repeat(30)]) {
    expect((await admin.client.get(`/extensions/${id}`)).text).toBe(unknown.text);
  }
});

test('EXT-17 an ADMIN removes an extension and its registration, and frees its ramal', async () => {
  const [removed, kept] = [await create({ ramal: '3301' }), await create()];
  await markRegistered(platform, removed.id);
  const answer = await admin.client.delete(`/extensions/${removed.id}`);
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect((await admin.client.get(`/extensions/${removed.id}`)).status).toBe(404);
  expect((await admin.client.delete(`/extensions/${removed.id}`)).status).toBe(404);
  const presence = 'select from extension_presence where extension_id = $1';
  expect(await platform.database.query(presence, [removed.id])).toEqual([]);
  expect(await read(kept.id)).toEqual(kept);
  expect((await create({ ramal: '3301' })).registered).toBe(false);
});

test('EXT-17 removes nothing of another account', async () => {
  const other = await createAccount(platform);
  const theirs = (await other.admin.client.post('/extensions', extensionBody())).body;
  expect((await admin.client.delete(`/extensions/${theirs.id}`)).status).toBe(404);
  expect((await other.admin.client.get(`/extensions/${theirs.id}`)).status).toBe(200);
});

test('changes by an ADMIN are in the audit log, without the password', async () => {
  const { id, ramal } = await create();
  await change({ id, first_name: 'Eva', senha: 'nova-senha-1' });
  await admin.client.delete(`/extensions/${id}`);
  const entries = await admin.client.list('/audit', { where: { targetId: String(id) } }, { page: '1' });
  const recorded = entries.body.data.map((entry: Record<string, unknown>) => [
    entry.action,
    entry.before,
    entry.after,
  ]);
  expect(recorded).toEqual([
    ['extension.remove', expect.objectContaining({ ramal, first_name: 'Eva' }), null],
    [
      'extension.update',
      { first_name: 'Ana', senha_changed: null },
      { first_name: 'Eva', senha_changed: true },
    ],
    ['extension.create', null, expect.objectContaining({ ramal, first_name: 'Ana' })],
  ]);
});
