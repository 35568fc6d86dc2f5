import { afterAll, beforeAll, expect, test } from 'vitest';
import { findCallingExtension } from '../../../src/contexts/extensions/index.ts';
import { inAccount } from '../../../src/platform/db/database.ts';
import { addDeck, giveCredit } from '../../harness/fixtures/billing.ts';
import { extensionBody, markRegistered, nextBody } from '../../harness/fixtures/extensions.ts';
import { createAccount, logIn, type Person, password, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let admin: Person;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  admin = account.admin;
});
afterAll(() => platform.close());

const verify = (person: Person) =>
  platform.database.query('update users set email_verified = true where uuid = $1', [person.uuid]);
const moveTo = (person: Person, email: string) =>
  platform.database.query('update users set email = $2 where uuid = $1', [person.uuid, email]);

async function verifiedUser(): Promise<Person> {
  const user = await account.addUser();
  await verify(user);
  return user;
}

async function addUserWith(email: string): Promise<Person> {
  const body = { name: 'Bia', email, password, phone: '5511912345678', role: 'USER' };
  expect((await admin.client.post('/users', body)).status).toBe(200);
  return await logIn(platform, email);
}

const create = async (email_address: string) =>
  (await admin.client.post('/extensions', extensionBody({ email_address }))).body;
const change = async (body: object) => (await admin.client.patch('/extensions', body)).body;

async function readOwner(id: number): Promise<string | undefined> {
  const [extension] = (await admin.client.list('/extensions', { where: { id }, include: 'user' })).body;
  return extension.user?.uuid;
}

test('AUTH-14 however created, an extension belongs to the verified user with its e-mail', async () => {
  const user = await verifiedUser();
  const body = nextBody({ email_address: user.email });
  const created = [
    await create(user.email),
    await create(user.email.toUpperCase()),
    (await admin.client.post('/extensions/next-available', body)).body,
    await change(extensionBody({ email_address: user.email })),
    ...(
      await admin.client.post('/extensions/bulk', {
        extensions: [extensionBody({ email_address: user.email })],
      })
    ).body,
  ];
  for (const { id } of created) expect(await readOwner(id)).toBe(user.uuid);
});

test('AUTH-14 an extension created after the user belongs to the user immediately', async () => {
  const user = await account.addUser();
  const { id, ramal } = await create(user.email.toUpperCase());
  expect(await readOwner(id)).toBe(user.uuid);
  await addDeck(platform, [{ prefix: '55', price: 0.6 }]);
  await giveCredit(platform, account.id, 10);
  const call = { extension: ramal, caller: ramal, called: '5511999990016' };
  const { body } = await user.client.post('/calls', call);
  // The only refusal left is that the phone is not registered.
  expect(body.error.errorCode).toBe('EXTENSION_NOT_REGISTERED');
});

test('AUTH-14 extensions created before the user belong to the user immediately', async () => {
  const email = 'later@empresa.test';
  const [first, second] = [await create(email), await create(email.toUpperCase())];
  expect(await readOwner(first.id)).toBeUndefined();
  const user = await addUserWith(email);
  for (const { id } of [first, second]) expect(await readOwner(id)).toBe(user.uuid);
  const audited = await platform.database.query(
    `select action, after from audit_entries where target_type = 'extension' and target_id = $1 order by id`,
    [String(first.id)],
  );
  expect(audited.at(-1)).toEqual({ action: 'extension.update', after: { user_id: expect.any(Number) } });
});

test('AUTH-14 an e-mail that an ADMIN sets for a user links the extensions that have it', async () => {
  const user = await account.addUser();
  const extension = await create('given@empresa.test');
  const owned = await create((await verifiedUser()).email);
  const owner = await readOwner(owned.id);
  for (const email of ['given@empresa.test', 'elsewhere@empresa.test'])
    await admin.client.patch('/users', { uuid: user.uuid, email });
  expect(await readOwner(extension.id)).toBe(user.uuid);
  expect(await readOwner(owned.id)).toBe(owner);
  const third = await create('elsewhere@empresa.test');
  expect(await readOwner(third.id)).toBe(user.uuid);
});

test('AUTH-14 setting the same e-mail for another user takes no extension from its owner', async () => {
  const user = await account.addUser();
  const extension = await create(user.email);
  await moveTo(user, 'former-owner@empresa.test');
  await addUserWith(user.email);
  expect(await readOwner(extension.id)).toBe(user.uuid);
});

test('AUTH-14 a USER’s own e-mail change links nothing, before and after the extension exists', async () => {
  const user = await account.addUser();
  const email = 'chosen@empresa.test';
  const before = await create(email);
  expect((await user.client.patch('/users', { email })).status).toBe(200);
  const after = await create(email);
  await change(before);
  for (const { id } of [before, after]) expect(await readOwner(id)).toBeUndefined();
  // A change of another field by an ADMIN does not confirm the address.
  await admin.client.patch('/users', { uuid: user.uuid, name: 'Eva' });
  await change(after);
  expect(await readOwner(after.id)).toBeUndefined();
  await admin.client.patch('/users', { uuid: user.uuid, email });
  for (const { id } of [before, after]) expect(await readOwner(id)).toBe(user.uuid);
});

test('AUTH-14 an e-mail changed by the previous release does not count as entered by an ADMIN', async () => {
  const user = await account.addUser();
  await moveTo(user, 'old-release@empresa.test');
  expect(await readOwner((await create('old-release@empresa.test')).id)).toBeUndefined();
});

test('AUTH-14 has no owner while the address is unknown or of another account', async () => {
  const other = await createAccount(platform);
  const addresses = ['unknown@empresa.test', other.admin.email];
  for (const address of addresses) expect(await readOwner((await create(address)).id)).toBeUndefined();
});

test('AUTH-14 saving the extension again assigns it once the user has verified the address', async () => {
  const user = await account.addUser();
  const email = 'verified-later@empresa.test';
  await user.client.patch('/users', { email });
  const extension = await create(email);
  await verify(user);
  expect(await readOwner(extension.id)).toBeUndefined();
  await change(extension);
  expect(await readOwner(extension.id)).toBe(user.uuid);
});

test('AUTH-14 a user’s e-mail change moves no extension, neither from nor to a user', async () => {
  const [owner, successor] = [await verifiedUser(), await verifiedUser()];
  const extension = await create(owner.email);
  await moveTo(owner, 'moved-away@empresa.test');
  expect(await readOwner(extension.id)).toBe(owner.uuid);
  await moveTo(successor, owner.email);
  expect(await readOwner(extension.id)).toBe(owner.uuid);
  await change({ id: extension.id, first_name: 'Eva' });
  await change({ ...extension, last_name: 'Lima' });
  expect(await readOwner(extension.id)).toBe(owner.uuid);
});

test('AUTH-14 another e-mail set by an ADMIN reassigns it; a removed user owns nothing', async () => {
  const [first, second] = [await verifiedUser(), await verifiedUser()];
  const { id } = await create(first.email);
  await change({ id, email_address: second.email });
  expect(await readOwner(id)).toBe(second.uuid);
  await change({ id, email_address: 'unknown@empresa.test' });
  expect(await readOwner(id)).toBeUndefined();
  await change({ id, email_address: first.email });
  await admin.client.delete(`/users/${first.uuid}`);
  expect(await readOwner(id)).toBeUndefined();
  expect((await admin.client.get(`/extensions/${id}`)).status).toBe(200);
});

test('call placement finds the extension by number, with owner and registration, per account', async () => {
  const user = await verifiedUser();
  const body = extensionBody({
    email_address: user.email,
    bina: '551140028922',
    gravar_audio: 1,
    auto_answer: 1,
  });
  const { id, ramal } = (await admin.client.post('/extensions', body)).body;
  const find = (accountId: number, number: string) =>
    inAccount(platform.api.base.db, accountId, (tx) =>
      findCallingExtension(tx, accountId, number, platform.clock.now()),
    );
  const expected = {
    id,
    accountId: account.id,
    ramal,
    domain: account.domain,
    bina: '551140028922',
    firstName: 'Ana',
    lastName: 'Souza',
    email: user.email,
    userId: expect.any(Number),
    recordCalls: true,
    autoAnswer: true,
    unavailability: null,
  };
  expect(await find(account.id, ramal)).toEqual({ ...expected, registration: undefined });
  await markRegistered(platform, id, 60);
  expect(await find(account.id, ramal)).toEqual({
    ...expected,
    registration: { transport: 'udp', edge: expect.any(Number) },
  });
  platform.clock.advance(60);
  expect((await find(account.id, ramal))?.registration).toBeUndefined();
  expect(await find(account.id, '99')).toBeUndefined();
  expect(await find((await createAccount(platform)).id, ramal)).toBeUndefined();
});
