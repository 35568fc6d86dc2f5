import { afterAll, beforeAll, expect, test } from 'vitest';
import { inAccount } from '../../../src/platform/db/database.ts';
import { uuidv7 } from '../../../src/platform/ids.ts';
import type { Permissions } from '../../../src/platform/permissions.ts';
import type { Answer } from '../../harness/client.ts';
import { type ExampleRequest, exampleRequest, requestOptions } from '../../harness/example-request.ts';
import { insertCallWithEvents, numberEvents } from '../../harness/fixtures/events.ts';
import { expectRecording } from '../../harness/fixtures/expect-recording.ts';
import { upload, wav } from '../../harness/fixtures/recordings.ts';
import { startTenancyFixture, type TenancyFixture } from '../../harness/fixtures/tenancy.ts';
import { listOperations, type Operation, referencePlaces } from '../../harness/operations.ts';
import type { Person } from '../../harness/people.ts';

type Key = 'made' | 'requested' | 'other' | 'unowned';

let fixture: TenancyFixture;
let user: Person;
let guarded: Operation[];
/** Recorded calls: of the user's extension, requested by the user, of another user, and of no user. */
const calls = new Map<Key, string>();
/** Deliveries of the ends of these calls to an integration of the user, as an ADMIN has them who became a USER. */
const deliveries = new Map<Key, string>();
let integrationId: string;
const isOwn = (key: Key): boolean => key === 'made' || key === 'requested';

beforeAll(async () => {
  fixture = await startTenancyFixture();
  user = await fixture.addUser('USER');
  const other = await fixture.addUser('USER');
  calls.set('made', await addCall({ owner: user }));
  calls.set('requested', await addCall({ owner: other, requester: user }));
  calls.set('other', await addCall({ owner: other, requester: fixture.ours.admin }));
  calls.set('unowned', await addCall({}));
  await numberEvents(fixture.platform);
  integrationId = await addProvenIntegration();
  for (const [key, callId] of calls) deliveries.set(key, await addDeliveryOf(callId));
  guarded = listOperations(fixture.platform.document).filter(({ access }) => access !== 'PUBLIC');
});
afterAll(() => fixture.platform.close());

async function addCall({ owner, requester }: { owner?: Person; requester?: Person }): Promise<string> {
  const { platform, ours } = fixture;
  const callId = await insertCallWithEvents(platform, ours, {
    ...(owner && { owner }),
    recorded: true,
    duration: 42,
  });
  await platform.database.query(
    'update calls set requested_by = (select id from users where uuid = $2) where id = $1',
    [callId, requester?.uuid ?? null],
  );
  const at = platform.clock.now();
  await inAccount(platform.api.base.db, ours.id, (tx) =>
    expectRecording(tx, { accountId: ours.id, callId, at }),
  );
  await upload(platform, callId, wav(1));
  return callId;
}

async function addProvenIntegration(): Promise<string> {
  const metadata = { webhookUrl: 'https://hooks.example.com/', webhookTypes: ['balance-low'] };
  const { body } = await user.client.patch('/integrations', { gateway: 'matrix', webhook: true, metadata });
  await fixture.platform.database.query('update integrations set proven_at = now() where id = $1', [body.id]);
  return String(body.id);
}

async function addDeliveryOf(callId: string): Promise<string> {
  const { database, clock } = fixture.platform;
  const [row] = await database.query<{ id: string }>(
    `insert into deliveries (id, account_id, integration_id, event_id, type, state, attempts, created_at, ended_at)
     select uuidv7_at($3), e.account_id, $1, e.id, e.type, 'failed', 1, $3, $3 from events e
      where e.subject_id = $2 and e.type = 'channel-hangup' returning id`,
    [integrationId, callId, clock.now()],
  );
  if (!row) throw new Error(`The call ${callId} has no event of its end.`);
  return row.id;
}

const sets: Permissions[] = (['own', 'all'] as const).flatMap((view) =>
  (['none', 'own', 'all'] as const).flatMap((recordings) =>
    [false, true]
      .filter((supervision) => view === 'all' || (recordings !== 'all' && !supervision))
      .map((supervision) => ({ calls: view, recordings, money: false, webhooks: true, supervision })),
  ),
);

async function permit(permissions: Permissions): Promise<void> {
  const path = `/users/${user.uuid}/permissions`;
  const answer = await fixture.ours.admin.client.request('PUT', path, { body: permissions });
  expect(answer).toMatchObject({ status: 200, body: { ...permissions, isDecided: true } });
}

/** Which calls a route may return: those that the user sees, those that the user follows, or no calls of others. */
type Rule = 'seen' | 'followed' | 'own';

function ruleOf({ name, scope, path }: Operation): Rule {
  // Contacts contain no calls; whose contacts a USER sees is tested with them.
  if (path.startsWith('/contacts')) return 'own';
  if (['POST /calls/{id}/hangup', 'PUT /calls/{id}/note'].includes(name) || isCommand(name))
    return 'followed';
  if (path.startsWith('/events')) return 'followed';
  const explains = [
    'GET /calls/{id}/deliveries',
    'GET /integrations/{id}/deliveries',
    'GET /integrations/{id}/deliveries/{deliveryId}',
    'POST /integrations/{id}/explain',
  ];
  // The dispositions belong to the account; availability contains running calls only, and is tested with them.
  if (['GET /dispositions', 'GET /availability'].includes(name)) return 'own';
  return scope === 'calls:read' || explains.includes(name) ? 'seen' : 'own';
}

/** Commands for a running call. One that has ended is refused for its state, to those who may control it only. */
const isCommand = (name: string): boolean =>
  /^POST \/calls\/\{id\}\/(?:(?:un)?(?:hold|mute)|transfer(?:\/\w+)?|conference)$/.test(name);

const allows = (rule: Rule, key: Key, { calls: view, supervision }: Permissions): boolean =>
  isOwn(key) || (rule !== 'own' && view === 'all' && (rule === 'seen' || supervision));

const listens = (key: Key, { recordings }: Permissions): boolean =>
  recordings === 'all' || (recordings === 'own' && isOwn(key));

/** Routes that return links to recordings. */
const linking = [
  'GET /calls',
  'GET /calls/search',
  'GET /calls/export',
  'GET /calls/{id}',
  'GET /events',
  'GET /events/stream',
  'GET /integrations/{id}/deliveries/{deliveryId}',
];

const callKinds = ['call', 'running-call', 'transferred-call', 'recording'];
const refersToCall = (operation: Operation): boolean =>
  referencePlaces(operation).some(({ kind }) => callKinds.includes(kind));
const refersToDelivery = (operation: Operation): boolean =>
  referencePlaces(operation).some(({ kind }) => kind === 'delivery');

/** The routes that read, and those that concern a call. Others do not return calls. */
const isProbed = (operation: Operation): boolean =>
  operation.method === 'GET' ||
  refersToCall(operation) ||
  refersToDelivery(operation) ||
  operation.name.endsWith('/explain');

/** Sends a valid request of the user; about this call or its delivery, if the operation refers to one. */
async function send(operation: Operation, callId: string, filter?: object): Promise<Answer> {
  const places = referencePlaces(operation).filter(({ kind }) => !callKinds.includes(kind));
  const others =
    places.length === 0
      ? undefined
      : await fixture.referencesFor(withoutOwnReferences(operation), user, 'USER');
  const ofDelivery: Record<string, string | undefined> = {
    delivery: deliveryOf(callId),
    integration: integrationId,
  };
  const references = (kind: string): string =>
    callKinds.includes(kind) ? callId : (ofDelivery[kind] ?? others?.(kind) ?? '');
  const request = unfiltered(exampleRequest(operation, references));
  const query = { ...request.query, ...(filter && { filter: JSON.stringify(filter) }) };
  return await user.client.request(operation.method, request.path, requestOptions({ ...request, query }));
}

const deliveryOf = (callId: string): string | undefined =>
  [...deliveries].find(([key]) => calls.get(key) === callId)?.[1];

/** Leaves out what this test refers to itself: the fixture would add calls of the user, and totals would count them. */
const withoutOwnReferences = (operation: Operation): Operation => ({
  ...operation,
  parameters: operation.parameters.filter(
    ({ schema }) => ![...callKinds, 'delivery', 'integration'].includes(String(schema['x-refers-to'])),
  ),
});

/** Asks for everything: without filters, and for streams that end after the existing events. */
function unfiltered(request: ExampleRequest): ExampleRequest {
  const { filter: _filter, q: _q, cursor: _cursor, ...query } = request.query;
  const stream: Record<string, string> =
    request.path === '/events/stream' ? { after: '0', seconds: '0' } : {};
  return { ...request, query: { ...query, ...stream } };
}

interface Seen {
  calls: Set<Key>;
  /** The calls whose response differs from that of a call that does not exist. */
  existing: Set<Key>;
  links: Map<Key, string>;
}

/** Returns the calls that a route shows to the user, and to whom their links were issued. */
async function probe(operation: Operation): Promise<Seen> {
  const seen: Seen = { calls: new Set(), existing: await findExisting(operation), links: new Map() };
  const answers =
    refersToCall(operation) || refersToDelivery(operation)
      ? await Promise.all(
          [...calls].map(async ([key, id]) => ({ keys: [key], answer: await send(operation, id) })),
        )
      : [{ keys: [...calls.keys()], answer: await send(operation, '') }];
  for (const { keys, answer } of answers) {
    for (const key of keys) if (shows(operation, answer, key)) seen.calls.add(key);
    for (const [key, issuedTo] of linksIn(answer.text)) seen.links.set(key, issuedTo);
  }
  return seen;
}

/** Asks for each call by its id, in the path or in the filter, and for one that does not exist. */
async function findExisting(operation: Operation): Promise<Set<Key>> {
  const hasFilter = operation.parameters.some(({ name }) => name === 'filter');
  if (!refersToCall(operation) && !(hasFilter && operation.path.startsWith('/calls'))) return new Set();
  const responseTo = async (id: string) => {
    const { status, text } = await send(operation, id, hasFilter ? { where: { id } } : undefined);
    return `${status} ${text.replace(/"requestId":"[^"]*"/, '').replaceAll(id, 'id')}`;
  };
  const missing = await responseTo(uuidv7(fixture.platform.clock.now()));
  const existing = new Set<Key>();
  // One after the other: an account has few exports at a time.
  for (const [key, id] of calls) if ((await responseTo(id)) !== missing) existing.add(key);
  return existing;
}

function shows(operation: Operation, { status, body, text }: Answer, key: Key): boolean {
  if (isCommand(operation.name)) return status < 300 || status === 409;
  if (refersToCall(operation)) return status < 300;
  // Totals show calls by their number.
  if (operation.name === 'GET /calls/summary') return isOwn(key) || body.totals.calls > 2;
  if (operation.name.endsWith('/explain')) return isOwn(key) || body.calls > 2;
  return text.includes(calls.get(key) ?? '');
}

function linksIn(text: string): [Key, string][] {
  const found = text.matchAll(/recordings\/(?<id>[0-9a-f-]{36})\?signature=[\w-]+\.(?<payload>[\w-]+)\./g);
  return [...found].flatMap(({ groups }) => {
    const key = [...calls].find(([, id]) => id === groups?.id)?.[0];
    const payload = JSON.parse(Buffer.from(groups?.payload ?? '', 'base64url').toString());
    return key === undefined ? [] : [[key, String(payload.issuedTo)] as [Key, string]];
  });
}

/** Returns every route and call for which the service does not do what the permissions say. */
async function findHoles(operations: Operation[], permissions: Permissions): Promise<string[]> {
  const holes: string[] = [];
  for (const operation of operations.filter(isProbed)) {
    const rule = ruleOf(operation);
    const seen = await probe(operation);
    const isServed = operation.access === 'USER' || operation.permission !== undefined;
    for (const key of calls.keys()) {
      const isAllowed = allows(rule, key, permissions);
      const mustShow = isServed && isAllowed && rule !== 'own';
      if (seen.calls.has(key) && !isAllowed) holes.push(`${operation.name} shows ${key}`);
      if (!seen.calls.has(key) && mustShow) holes.push(`${operation.name} hides ${key}`);
      if (seen.existing.has(key) && !allows('seen', key, permissions))
        holes.push(`${operation.name} reveals that ${key} exists`);
      const mayListen = isAllowed && listens(key, permissions);
      if (seen.links.has(key) && !mayListen) holes.push(`${operation.name} links ${key}`);
      if (!seen.links.has(key) && mayListen && linking.includes(operation.name))
        holes.push(`${operation.name} does not link ${key}`);
      if (seen.links.has(key) && seen.links.get(key) !== user.uuid)
        holes.push(`${operation.name} links ${key} for another person`);
    }
  }
  return holes;
}

test('PERM-04 PERM-05 PERM-06 PERM-07 PERM-09 PERM-11 every route shows exactly the permitted calls and links', async () => {
  expect(sets).toHaveLength(8);
  // A USER is refused by the routes of ADMINs, which therefore show nothing.
  const routes = guarded.filter(({ access, permission }) => access === 'USER' || permission !== undefined);
  expect(routes.filter(isProbed).map(({ name }) => name)).toEqual(expect.arrayContaining(linking));
  for (const permissions of sets) {
    await permit(permissions);
    expect({ permissions, holes: await findHoles(guarded, permissions) }).toEqual({ permissions, holes: [] });
  }
}, 120_000);

test('PERM-11 the matrix finds every route that ignores the permissions', async () => {
  // The user sees everything, and the matrix expects own calls without recordings.
  const everything = {
    calls: 'all',
    recordings: 'all',
    money: false,
    webhooks: true,
    supervision: true,
  } as const;
  await permit(everything);
  const planted = await findHoles(guarded, {
    ...everything,
    calls: 'own',
    recordings: 'none',
    supervision: false,
  });
  const leaking = guarded.filter((operation) => isProbed(operation) && ruleOf(operation) !== 'own');
  for (const { name } of leaking.filter(({ access }) => access === 'USER'))
    expect(planted).toContain(`${name} shows other`);
  const byId = ['GET /calls', 'GET /calls/search', 'GET /calls/export', 'GET /calls/{id}'];
  for (const name of [...byId, 'GET /calls/{id}/price', 'POST /calls/{id}/hangup'])
    expect(planted).toContain(`${name} reveals that other exists`);
  for (const name of linking)
    expect(planted).toEqual(expect.arrayContaining([`${name} links made`, `${name} links other`]));
  // The user sees own calls, and the matrix expects everything.
  await permit({ ...everything, calls: 'own', recordings: 'none', supervision: false });
  expect(await findHoles(guarded, everything)).toEqual(
    expect.arrayContaining([
      'GET /calls hides other',
      'GET /calls does not link made',
      'GET /events hides other',
    ]),
  );
}, 60_000);

/** Sends a request that passes all checks of the caller and fails afterwards, so that it changes nothing. */
async function admission({ method, path }: Operation): Promise<string> {
  const url = path.replaceAll(/[{}]/g, '');
  const answer = await user.client.request(method, url, { query: { planted: '1' } });
  if (answer.body?.error?.errorCode === 'ACCESS_DENIED') return 'refused';
  return answer.status === 400 || answer.status === 422 ? 'admitted' : `served: ${answer.status}`;
}

async function findOpenRoutes(operations: Operation[], permissions: Permissions): Promise<string[]> {
  const holes: string[] = [];
  for (const operation of operations) {
    const { permission, access, name } = operation;
    const isAdmitted = permission === undefined ? access === 'USER' : permissions[permission];
    const [wanted, got] = [isAdmitted ? 'admitted' : 'refused', await admission(operation)];
    if (wanted !== got) holes.push(`${name}: ${got}, not ${wanted}`);
  }
  return holes;
}

test('PERM-08 PERM-11 every route admits exactly the USERs with its permission', async () => {
  const needing = (permission: string) => guarded.filter((each) => each.permission === permission);
  // The routes of money are those of their scope, except for the quote, and integrations need their permission.
  expect(needing('money').map(({ name }) => name)).toEqual(
    guarded
      .filter(({ scope, name }) => scope === 'money' && name !== 'GET /rates/quote')
      .map(({ name }) => name),
  );
  expect(needing('webhooks').map(({ name }) => name)).toEqual(
    guarded
      .filter(({ scope, path }) => scope === 'webhooks' && !path.startsWith('/events'))
      .map(({ name }) => name),
  );
  for (const money of [false, true]) {
    for (const webhooks of [false, true]) {
      const permissions = { calls: 'own', recordings: 'own', money, webhooks, supervision: false } as const;
      await permit(permissions);
      expect({ permissions, holes: await findOpenRoutes(guarded, permissions) }).toEqual({
        permissions,
        holes: [],
      });
    }
  }
}, 120_000);

test('PERM-11 the matrix finds a route that ignores its permission', async () => {
  const permissions = {
    calls: 'own',
    recordings: 'own',
    money: false,
    webhooks: true,
    supervision: false,
  } as const;
  await permit(permissions);
  const planted = guarded
    .filter(({ name }) => name === 'GET /users/me')
    .map((each): Operation => ({ ...each, permission: 'money' }));
  expect(await findOpenRoutes(planted, permissions)).toEqual(['GET /users/me: admitted, not refused']);
});
