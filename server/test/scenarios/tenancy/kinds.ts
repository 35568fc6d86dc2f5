import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { holdForCall } from '../../../src/contexts/billing/index.ts';
import { assignCallerId } from '../../../src/contexts/caller-ids/index.ts';
import { recordingUrl } from '../../../src/contexts/recordings/index.ts';
import { addDelivery, type MadeDelivery } from '../../harness/deliveries.ts';
import { addTotp, createPasskey, exampleTotpSecret, sealTotpSetUp } from '../../harness/factors.ts';
import { within } from '../../harness/fixtures/billing.ts';
import { insertCalls, insertLegs, insertLiveCalls } from '../../harness/fixtures/call-rows.ts';
import { extensionBody, markRegistered, nextBody } from '../../harness/fixtures/extensions.ts';
import { addStoredRecording } from '../../harness/fixtures/recordings.ts';
import {
  addSsoDomain,
  returnFromProvider,
  type SsoCallback,
  ssoDomainOf,
} from '../../harness/fixtures/sso.ts';
import type { Role, TenancyFixture } from '../../harness/fixtures/tenancy.ts';
import { linkTo, tokenFrom } from '../../harness/mailbox.ts';
import { type Person, password, type TestAccount } from '../../harness/people.ts';

/** A kind of object that requests refer to, as named by `x-refers-to`. */
export interface Kind {
  /** Creates an object that the caller may refer to. */
  own(fixture: TenancyFixture, caller: Person, role: Role): Promise<string>;
  /** Creates objects that exist or existed, but not for the caller. */
  foreign(fixture: TenancyFixture): Promise<string[]>;
  /** Returns the id of an object that never existed. */
  missing(): string;
  /**
   * The response to a missing one, if it is not 404: a passkey is no object of the service, but a proof in the body, and
   * settings may name only certain users.
   */
  missingStatus?: number;
  malformed: string[];
}

const shapeless = [
  'x',
  'null',
  'constructor',
  '__proto__',
  '-1',
  '1.5',
  '1e9',
  '\0',
  '%',
  '%00',
  "' or 1=1 --",
  'é',
  '😀',
  'a'.repeat(199),
  'a'.repeat(300),
];
// Has the form of signed text without a valid signature.
const unsigned = (): string => `k1.e30.${randomBytes(32).toString('base64url')}`;

export const kinds: Record<string, Kind> = {
  user: {
    // A USER may refer only to their own user.
    own: async (fixture, caller, role) =>
      role === 'USER' ? caller.uuid : (await fixture.addUser('USER')).uuid,
    foreign: async ({ theirs }) => [theirs.admin.uuid, (await theirs.addUser()).uuid],
    missing: () => randomUUID(),
    malformed: [...shapeless, '00000000-0000-0000-0000-00000000000g', '00000000000000000000000000000000'],
  },
  admin: {
    // Not a new ADMIN, beside whom a request could take the role of this one.
    own: async ({ ours }) => ours.admin.uuid,
    foreign: async (fixture) => [fixture.theirs.admin.uuid, (await fixture.addUser('USER')).uuid],
    missing: () => randomUUID(),
    missingStatus: 422,
    // A malformed id is a validation error of the body.
    malformed: [],
  },
  token: {
    own: async (_scene, caller) => await newToken(caller),
    foreign: async (fixture) => [
      await newToken(fixture.theirs.admin),
      await newToken(await fixture.addUser('ADMIN')),
    ],
    missing: () => randomBytes(6).toString('base64url'),
    malformed: shapeless,
  },
  'service-token': {
    own: async (fixture) => await newServiceToken(fixture.ours.admin),
    // The token of a user is not a service token, and the other way round.
    foreign: async (fixture) => [
      await newServiceToken(fixture.theirs.admin),
      await newToken(await fixture.addUser('ADMIN')),
    ],
    missing: () => randomBytes(6).toString('base64url'),
    malformed: shapeless,
  },
  factor: {
    own: async (fixture, caller) => await addApp(fixture, caller),
    // Factors of other users of the account are as inaccessible as those of other accounts.
    foreign: async (fixture) => [
      await addApp(fixture, fixture.theirs.admin),
      await addApp(fixture, await fixture.addUser('ADMIN')),
    ],
    missing: () => randomUUID(),
    malformed: [...shapeless, '00000000-0000-0000-0000-00000000000g'],
  },
  'totp-set-up': {
    own: async ({ platform }, { uuid }) => sealTotpSetUp(platform, uuid, exampleTotpSecret),
    foreign: async (fixture) => [
      sealTotpSetUp(fixture.platform, fixture.theirs.admin.uuid, exampleTotpSecret),
      sealTotpSetUp(fixture.platform, (await fixture.addUser('ADMIN')).uuid, exampleTotpSecret),
    ],
    missing: unsigned,
    malformed: shapeless,
  },
  'passkey-registration': {
    own: async (_scene, caller) => await registerPasskey(caller),
    foreign: async (fixture) => [
      await registerPasskey(fixture.theirs.admin),
      await registerPasskey(await fixture.addUser('ADMIN')),
    ],
    missing: () =>
      JSON.stringify(createPasskey(consoleOrigin).register({ challenge: unsigned(), rp: { id: 'console' } })),
    missingStatus: 422,
    malformed: [],
  },
  session: {
    own: async ({ platform }, caller) => await openSession(platform, caller),
    foreign: async (fixture) => [
      await openSession(fixture.platform, fixture.theirs.admin),
      await openSession(fixture.platform, await fixture.addUser('ADMIN')),
    ],
    missing: () => randomBytes(6).toString('base64url'),
    malformed: shapeless,
  },
  call: {
    own: async (fixture, caller) => await fundedCall(fixture, fixture.ours, caller),
    foreign: async (fixture) => [await fundedCall(fixture, fixture.theirs, fixture.theirs.admin)],
    missing: () => randomUUID(),
    malformed: [...shapeless, '00000000-0000-0000-0000-00000000000g'],
  },
  'running-call': {
    own: async (fixture, caller, role) =>
      await answeredCall(fixture, fixture.ours, caller, await kinds.ramal?.own(fixture, caller, role)),
    foreign: async (fixture) => [await answeredCall(fixture, fixture.theirs, fixture.theirs.admin)],
    missing: () => randomUUID(),
    malformed: [...shapeless, '00000000-0000-0000-0000-00000000000g'],
  },
  'transferred-call': {
    own: async (fixture, caller) => await transferredCall(fixture, fixture.ours, caller),
    foreign: async (fixture) => [await transferredCall(fixture, fixture.theirs, fixture.theirs.admin)],
    missing: () => randomUUID(),
    malformed: [...shapeless, '00000000-0000-0000-0000-00000000000g'],
  },
  recording: {
    own: async (fixture, caller) => (await recordingFor(fixture, caller)).callId,
    foreign: async (fixture) => [await addStoredRecording(fixture.platform, fixture.theirs.id)],
    missing: () => randomUUID(),
    malformed: [...shapeless, '00000000-0000-0000-0000-00000000000g'],
  },
  'recording-signature': {
    own: async (fixture, caller) => (await recordingFor(fixture, caller)).signature,
    foreign: async (fixture) => [
      signatureFor(fixture, await addStoredRecording(fixture.platform, fixture.theirs.id)),
    ],
    missing: unsigned,
    malformed: shapeless,
  },
  charge: {
    own: async (fixture) => await newCharge(fixture.ours.admin),
    foreign: async (fixture) => [await newCharge(fixture.theirs.admin)],
    missing: () => '999999999',
    malformed: [...shapeless, '9'.repeat(16), '9'.repeat(30)],
  },
  extension: {
    own: async (fixture, caller) => await extensionFor(fixture, caller),
    foreign: async (fixture) => [await newExtension(fixture.theirs.admin)],
    missing: () => '999999999',
    malformed: [...shapeless, '9'.repeat(16), '9'.repeat(30)],
  },
  'phone-session': {
    own: async (fixture, caller) => await newPhoneSession(caller, await extensionFor(fixture, caller)),
    foreign: async (fixture) => {
      const { admin } = fixture.theirs;
      const colleague = await fixture.addUser('ADMIN');
      return [
        await newPhoneSession(admin, await newExtension(admin)),
        await newPhoneSession(colleague, await newExtension(colleague)),
      ];
    },
    missing: () => randomUUID(),
    malformed: [...shapeless, '00000000-0000-0000-0000-00000000000g'],
  },
  integration: {
    own: async (fixture, caller) => (await deliveryFor(fixture, caller)).integrationId,
    // Objects of other users of the account are as inaccessible as those of other accounts.
    foreign: async (fixture) => [
      await newIntegration(fixture.theirs.admin),
      await newIntegration(await fixture.addUser('ADMIN')),
    ],
    missing: () => '999999999',
    malformed: [...shapeless, '9'.repeat(16), '9'.repeat(30)],
  },
  ramal: {
    own: async (fixture, caller) => await registeredRamal(fixture, fixture.ours.admin, caller),
    foreign: async (fixture) => [await registeredRamal(fixture, fixture.theirs.admin, fixture.theirs.admin)],
    missing: () => '99999999',
    // A malformed id is a validation error of the body.
    malformed: [],
  },
  contact: {
    own: async (fixture, caller) => await addContact(fixture, fixture.ours, caller),
    foreign: async (fixture) => [await addContact(fixture, fixture.theirs, fixture.theirs.admin)],
    missing: () => randomUUID(),
    malformed: [...shapeless, '00000000-0000-0000-0000-00000000000g'],
  },
  'caller-id': {
    own: async (fixture) => await newCallerId(fixture, fixture.ours),
    foreign: async (fixture) => [await newCallerId(fixture, fixture.theirs)],
    missing: () => '999999999',
    malformed: [...shapeless, '9'.repeat(16), '9'.repeat(30)],
  },
  delivery: {
    own: async (fixture, caller) => (await deliveryFor(fixture, caller)).deliveryId,
    foreign: async (fixture) => [
      (await deliveryFor(fixture, fixture.theirs.admin, fixture.theirs)).deliveryId,
      (await deliveryFor(fixture, await fixture.addUser('ADMIN'))).deliveryId,
    ],
    missing: () => randomUUID(),
    malformed: [...shapeless, '00000000-0000-0000-0000-00000000000g'],
  },
  gateway: {
    own: async () => 'sandbox',
    // Empty, because the list of gateways is public.
    foreign: async () => [],
    missing: () => 'nowhere',
    malformed: shapeless,
  },
  email: {
    own: async (_scene, caller) => caller.email,
    foreign: async ({ theirs }) => [theirs.admin.email],
    missing: () => `${randomUUID()}@example.com`,
    malformed: [],
  },
  'reset-token': {
    own: async (fixture) => (await resetToken(fixture)).token,
    foreign: async (fixture) => [await orphan(fixture, await resetToken(fixture))],
    missing: unsigned,
    malformed: shapeless,
  },
  'undo-token': {
    own: async (fixture) => (await undoToken(fixture)).token,
    foreign: async (fixture) => [await orphan(fixture, await undoToken(fixture))],
    missing: unsigned,
    malformed: shapeless,
  },
  invitation: {
    own: async (fixture) => await newInvitation(fixture.ours.admin),
    foreign: async (fixture) => [await newInvitation(fixture.theirs.admin)],
    missing: () => randomUUID(),
    malformed: [...shapeless, '00000000-0000-0000-0000-00000000000g'],
  },
  'invitation-token': {
    own: async (fixture) => (await mailedInvitation(fixture)).token,
    foreign: async (fixture) => [await revokedToken(fixture)],
    missing: unsigned,
    malformed: shapeless,
  },
  'sso-domain': {
    own: async ({ ours }) => ssoDomainOf(ours),
    foreign: async (fixture) => [await addSsoDomain(fixture, fixture.theirs)],
    missing: () => `${randomUUID()}.example.com`,
    malformed: [],
  },
  'sso-email': {
    own: async ({ ours }) => `${randomUUID()}@${ssoDomainOf(ours)}`,
    // Addresses of users, whose domain is not proved, and in a domain that another account has only named.
    foreign: async (fixture) => [
      fixture.theirs.admin.email,
      `${randomUUID()}@${await addSsoDomain(fixture, fixture.theirs)}`,
    ],
    missing: () => `${randomUUID()}@example.com`,
    malformed: [],
  },
  'sso-callback': {
    own: async (fixture, caller) => (await ownCallback(fixture, caller)).query,
    // A return that belongs to the cookie of another browser.
    foreign: async (fixture) => [(await returnFromProvider(fixture, fixture.theirs)).query],
    missing: () => 'code=x&state=y',
    malformed: shapeless,
  },
  'confirm-token': {
    own: async (fixture) => (await confirmToken(fixture)).token,
    foreign: async (fixture) => [await orphan(fixture, await confirmToken(fixture))],
    missing: unsigned,
    malformed: shapeless,
  },
};

async function fundedCall(
  { platform }: TenancyFixture,
  account: TestAccount,
  caller: Person,
): Promise<string> {
  const at = platform.clock.now();
  const [callId = ''] = await insertCalls(platform.database, account, [
    { startedAt: at, email: caller.email },
  ]);
  const call = { accountId: account.id, callId, destination: '5511987654321', at };
  await within(platform, account.id, (tx) => holdForCall(tx, platform.api.app, call));
  // A USER may end a call that they requested.
  await platform.database.query(
    'update calls set requested_by = (select id from users where uuid = $2) where id = $1',
    [callId, caller.uuid],
  );
  return callId;
}

/** Adds an answered call, on a media node that can control it. */
async function answeredCall(
  { platform }: TenancyFixture,
  account: TestAccount,
  caller: Person,
  from = '1000',
): Promise<string> {
  const { database, clock } = platform;
  const [callId = ''] = await insertCalls(database, account, [
    { startedAt: clock.now(), email: caller.email, status: 'answered', from },
  ]);
  await insertLiveCalls(database, [callId]);
  await database.query(
    `insert into media_nodes (name, secret_hash, sip_address, created_at, controls_calls)
     values ('tenancy', sha256('tenancy'), '127.0.0.1:5060', now(), true) on conflict do nothing`,
  );
  await database.query(
    `with live as (update live_calls set node = 'tenancy' where call_id = $1)
     update calls set requested_by = (select id from users where uuid = $2) where id = $1`,
    [callId, caller.uuid],
  );
  return callId;
}

/** Adds an answered call with an attended transfer that can be completed or cancelled. */
async function transferredCall(
  fixture: TenancyFixture,
  account: TestAccount,
  caller: Person,
): Promise<string> {
  const callId = await answeredCall(fixture, account, caller);
  await insertLegs(fixture.platform.database, callId);
  return callId;
}

/** Adds a call to the number, which the caller requested. */
export async function addCallOf(
  { database, clock }: TenancyFixture['platform'],
  account: TestAccount,
  caller: Person,
  number: string,
): Promise<string> {
  const call = { startedAt: clock.now(), to: number, email: caller.email };
  const [callId = ''] = await insertCalls(database, account, [call]);
  await database.query(
    'update calls set requested_by = (select id from users where uuid = $2) where id = $1',
    [callId, caller.uuid],
  );
  return callId;
}

/** Returns the contact of a number with which the caller has a call, and adds a call if there is none. */
async function addContact(
  { platform }: TenancyFixture,
  account: TestAccount,
  caller: Person,
): Promise<string> {
  const { query } = platform.database;
  const [call] = await query<{ to: string }>(
    'select c."to" from calls c join users u on u.id = c.requested_by where u.uuid = $1 limit 1',
    [caller.uuid],
  );
  const number = call?.to ?? `55119${randomInt(10_000_000, 99_999_999)}`;
  if (!call) await addCallOf(platform, account, caller, number);
  const [contact] = await query<{ id: string }>(
    `insert into contacts (account_id, id, number, name, source, created_at, updated_at)
     values ($1, $2, $3, 'Ana', 'manual', now(), now())
         on conflict (account_id, number) do update set name = excluded.name returning id`,
    [account.id, randomUUID(), number],
  );
  return contact?.id ?? '';
}

const recordings = new WeakMap<Person, Promise<{ callId: string; signature: string }>>();

/**
 * Returns the caller's recording link. It consists of a call id and its signature, which belong together, so each
 * caller has one recording.
 */
async function recordingFor(fixture: TenancyFixture, caller: Person) {
  const recording = recordings.get(caller);
  if (recording) return await recording;
  const fresh = addStoredRecording(fixture.platform, fixture.ours.id).then((callId) => ({
    callId,
    signature: signatureFor(fixture, callId),
  }));
  recordings.set(caller, fresh);
  return await fresh;
}

const deliveries = new WeakMap<Person, Promise<MadeDelivery>>();

/**
 * Returns the caller's delivery, which is about a call that the caller requested. A delivery belongs to its integration,
 * so each caller has one integration with one delivery.
 */
async function deliveryFor(
  { platform, ours }: TenancyFixture,
  caller: Person,
  account = ours,
): Promise<MadeDelivery> {
  const add = async (): Promise<MadeDelivery> => {
    const callId = await addCallOf(platform, account, caller, '5511987654321');
    return await addDelivery(platform.database.query, caller.client, callId);
  };
  const delivery = deliveries.get(caller) ?? add();
  deliveries.set(caller, delivery);
  return await delivery;
}

const callbacks = new WeakMap<Person, Promise<SsoCallback>>();

/** Returns the caller's return from the provider. A query belongs to its cookie, so each caller has one. */
export async function ownCallback(fixture: TenancyFixture, caller: Person): Promise<SsoCallback> {
  const callback = callbacks.get(caller) ?? returnFromProvider(fixture, fixture.ours);
  callbacks.set(caller, callback);
  return await callback;
}

const signatureFor = ({ platform }: TenancyFixture, callId: string): string =>
  new URL(recordingUrl(platform.api.app, callId, callId)).searchParams.get('signature') ?? '';

async function newToken({ client }: Person): Promise<string> {
  const { body } = await client.post('/users/accessTokens', {});
  return String(body.id).slice(0, 8);
}

async function newServiceToken({ client }: Person): Promise<string> {
  const { body } = await client.post('/accounts/accessTokens', { name: 'CRM', scopes: ['money'] });
  return String(body.id).slice(0, 8);
}

async function newCharge({ client }: Person): Promise<string> {
  const dueDate = new Date(Date.now() + 3 * 24 * 3600 * 1000).toISOString().slice(0, 10);
  const charge = { paymentMethod: 'PIX', dueDate, amount: 50, description: 'Créditos' };
  const { body } = await client.post('/charges', charge);
  return String(body.id);
}

async function newExtension({ client }: Person, of: { email?: string } = {}): Promise<string> {
  const owner = of.email === undefined ? {} : { email_address: of.email };
  const { body } = await client.post('/extensions/next-available', nextBody(owner));
  return String(body.id);
}

const extensions = new WeakMap<Person, Promise<string>>();

/** Returns the caller's extension. A phone session belongs to its extension, so each caller has one. */
async function extensionFor(fixture: TenancyFixture, caller: Person): Promise<string> {
  const extension = extensions.get(caller) ?? newExtension(fixture.ours.admin, caller);
  extensions.set(caller, extension);
  return await extension;
}

async function newPhoneSession({ client }: Person, extensionId: string): Promise<string> {
  const { body } = await client.post(`/extensions/${extensionId}/phone-sessions`);
  return String(body.id);
}

const consoleOrigin = 'http://console.disca.test';

/** Returns the answer of a new device to the options of the caller. */
async function registerPasskey({ client }: Person): Promise<string> {
  const { body } = await client.post('/users/me/factors/passkey/start');
  return JSON.stringify(createPasskey(consoleOrigin).register(body));
}

/** Opens a session of the console and returns its prefix. */
async function openSession({ client }: TenancyFixture['platform'], { email }: Person): Promise<string> {
  const { headers } = await client().post('/console/session', { email, password });
  return /__Host-disca=([\w-]{8})/.exec(String(headers['set-cookie']))?.[1] ?? '';
}

async function addApp({ platform }: TenancyFixture, person: Person): Promise<string> {
  await addTotp(platform, person);
  const { body } = await person.client.get('/users/me/factors');
  return String(body.factors.at(-1).id);
}

async function newIntegration({ client }: Person): Promise<string> {
  const { body } = await client.patch('/integrations', { gateway: randomUUID() });
  return String(body.id);
}

/** Returns the number of an extension that only the caller owns, with a registered softphone. */
async function registeredRamal(
  { platform }: TenancyFixture,
  admin: Person,
  { email }: Person,
): Promise<string> {
  const { body } = await admin.client.post('/extensions', extensionBody({ email_address: email }));
  await markRegistered(platform, body.id);
  return body.ramal;
}

async function newCallerId({ platform }: TenancyFixture, { id }: TestAccount): Promise<string> {
  const number = `55119${randomInt(10_000_000, 99_999_999)}`;
  return String((await assignCallerId(platform.api.base, id, number)).id);
}

interface MailedToken {
  token: string;
  person: Person;
}

async function resetToken(fixture: TenancyFixture): Promise<MailedToken> {
  const person = await fixture.addUser('USER');
  await fixture.platform.client().post('/users/reset', { email: person.email });
  return { token: tokenFrom(await linkTo(fixture.platform, person.email, 'reset-password')), person };
}

async function undoToken(fixture: TenancyFixture): Promise<MailedToken> {
  const person = await fixture.addUser('USER');
  await fixture.platform.database.query('update users set email_verified = true where uuid = $1', [
    person.uuid,
  ]);
  const changed = await person.client.patch('/users', { email: `${randomUUID()}@example.com` });
  if (changed.status !== 200) throw new Error(`The change returned ${changed.status}: ${changed.text}`);
  return { token: tokenFrom(await linkTo(fixture.platform, person.email, 'email-changed')), person };
}

async function invite({ client }: Person, email: string): Promise<string> {
  const { status, text, body } = await client.post('/users/invitations', { email, role: 'USER' });
  if (status !== 200) throw new Error(`The invitation returned ${status}: ${text}`);
  return String(body.uuid);
}

const newInvitation = (admin: Person): Promise<string> => invite(admin, `${randomUUID()}@example.com`);

async function mailedInvitation({
  platform,
  ours,
}: TenancyFixture): Promise<{ uuid: string; token: string }> {
  const email = `${randomUUID()}@example.com`;
  const uuid = await invite(ours.admin, email);
  return { uuid, token: tokenFrom(await linkTo(platform, email, 'invitation')) };
}

async function revokedToken(fixture: TenancyFixture): Promise<string> {
  const { uuid, token } = await mailedInvitation(fixture);
  await fixture.platform.database.query('delete from invitations where uuid = $1', [uuid]);
  return token;
}

async function confirmToken(fixture: TenancyFixture): Promise<MailedToken> {
  const person = await fixture.addUser('USER');
  return { token: tokenFrom(await linkTo(fixture.platform, person.email, 'confirm-new-address')), person };
}

/**
 * Returns a mailed token whose user was deleted. Without the deletion, the token would be valid for any client that has
 * it.
 */
async function orphan({ platform }: TenancyFixture, { token, person }: MailedToken): Promise<string> {
  await platform.database.query('delete from users where uuid = $1', [person.uuid]);
  return token;
}
