import { beforeAll, expect, test } from 'vitest';
import { integrationBody } from '../../harness/fixtures/integrations.ts';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
});

const save = ({ client }: Person, body: object) => client.patch('/integrations', body);
const list = async ({ client }: Person) => (await client.get('/integrations')).body;

interface Row {
  constraint_metadata: object;
  webhook_url: string | null;
  webhook_version: string;
  webhook_types: string[];
  failing_since: Date | null;
}
async function readRow(id: number): Promise<Row | undefined> {
  const [row] = await platform.database.query<Row>('select * from integrations where id = $1', [id]);
  return row;
}

test('INTEG-01 INTEG-04 creates an integration from its four fields and returns it with its id', async () => {
  const person = await account.addUser();
  const body = integrationBody();
  const answer = await save(person, body);
  const off = { webhookDisabledAt: null, webhookDisabledReason: null };
  expect([answer.status, answer.body]).toEqual([200, { id: expect.any(Number), ...body, ...off }]);
  expect(await list(person)).toEqual([answer.body]);
  expect(await readRow(answer.body.id)).toMatchObject({
    webhook_url: body.metadata.webhookUrl,
    webhook_version: 'v1.4',
    webhook_types: ['channel-answer', 'channel-hangup'],
    constraint_metadata: { deal: 'D-1' },
  });
});

test('INTEG-01 only the gateway is required, and without a webhook metadata is free-form', async () => {
  const person = await account.addUser();
  const bare = (await save(person, { gateway: 'bare' })).body;
  expect(bare).toMatchObject({ gateway: 'bare', webhook: false, webhookConstraint: {}, metadata: {} });
  const free = { gateway: 'free', webhook: false, metadata: { webhookUrl: 7, webhookTypes: 'x', a: [1] } };
  expect((await save(person, free)).body).toMatchObject(free);
  const missing = await save(person, { webhook: false });
  expect([missing.status, missing.body.error.details]).toMatchObject([
    422,
    [{ path: 'gateway', code: 'required' }],
  ]);
});

test('INTEG-02 changes each field of the given id; what was read can be sent back', async () => {
  const person = await account.addUser();
  const bystander = (await save(person, integrationBody({ gateway: 'bystander' }))).body;
  const created = (await save(person, integrationBody())).body;
  const changes = {
    gateway: 'pipedrive',
    webhook: false,
    webhookConstraint: { metadata: { deal: 'D-2' } },
    metadata: { ...integrationBody().metadata, webhookTypes: ['call-priced'] },
  };
  let expected = created;
  for (const [name, value] of Object.entries(changes)) {
    expected = { ...expected, [name]: value };
    const answer = await save(person, { id: created.id, [name]: value });
    expect([answer.status, answer.body]).toEqual([200, expected]);
  }
  const back = await save(person, expected);
  expect([back.status, back.body]).toEqual([200, expected]);
  const cleared = await save(person, { id: String(created.id), webhookConstraint: null, metadata: null });
  expect(cleared.body).toEqual({ ...expected, webhookConstraint: {}, metadata: {} });
  expect((await list(person)).at(-1)).toEqual(bystander);
});

test('INTEG-02 rejects the gateway of another integration of the user, and changes nothing', async () => {
  const person = await account.addUser();
  await save(person, integrationBody({ gateway: 'one' }));
  const two = (await save(person, integrationBody({ gateway: 'two' }))).body;
  const answer = await save(person, { id: two.id, gateway: 'one' });
  expect([answer.status, answer.body.error.details]).toMatchObject([
    422,
    [{ path: 'gateway', code: 'duplicate' }],
  ]);
  expect((await list(person))[0]).toEqual(two);
});

test('INTEG-05 an unknown id and one of another user or account return 404, without effect', async () => {
  const person = await account.addUser();
  const colleague = (await save(await account.addUser(), integrationBody())).body;
  const foreign = (await save((await createAccount(platform)).admin, integrationBody())).body;
  for (const id of [999_999_999, 'x', '-1', 1.5, colleague.id, foreign.id]) {
    for (const who of [person, account.admin]) {
      const answer = await save(who, { id, webhook: true });
      expect([id, answer.status, answer.body.error.errorCode]).toEqual([id, 404, 'NOT_FOUND']);
    }
  }
  expect((await readRow(colleague.id))?.webhook_url).toBe(colleague.metadata.webhookUrl);
  const wrong = await save(person, { id: 999_999_999, webhook: true, metadata: {} });
  expect(wrong.status).toBe(422);
});

test('INTEG-06 without id the same gateway is updated, and another user gets their own', async () => {
  const [one, other] = [await account.addUser(), await account.addUser()];
  const first = (await save(one, integrationBody())).body;
  const again = await save(one, { gateway: 'hubspot', webhookConstraint: { deal: 'D-9' } });
  expect(again.body).toEqual({ ...first, webhookConstraint: { deal: 'D-9' } });
  const theirs = (await save(other, integrationBody())).body;
  expect(theirs.id).not.toBe(first.id);
  expect([(await list(one)).length, (await list(other)).length]).toEqual([1, 1]);
  const upper = (await save(one, integrationBody({ gateway: 'HubSpot' }))).body;
  expect(upper.id).not.toBe(first.id);
});

test('INTEG-06 concurrent requests create one integration', async () => {
  const person = await account.addUser();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      save(person, integrationBody({ webhookConstraint: { n: index } })),
    ),
  );
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  expect((await list(person)).length).toBe(1);
});

test('INTEG-07 the version defaults to 1.8 and may only be 1.8 or v1.4', async () => {
  const person = await account.addUser();
  const savedVersion = async (version: unknown) => {
    const { metadata } = integrationBody();
    const { webhookVersion: _, ...rest } = metadata;
    const given = version === undefined ? rest : { ...rest, webhookVersion: version };
    const answer = await save(person, integrationBody({ metadata: given }));
    return answer.status === 200
      ? [answer.body.metadata.webhookVersion, (await readRow(answer.body.id))?.webhook_version]
      : answer.body.error.details;
  };
  expect(await savedVersion(undefined)).toEqual(['1.8', '1.8']);
  expect(await savedVersion('v1.4')).toEqual(['v1.4', 'v1.4']);
  expect(await savedVersion('1.8')).toEqual(['1.8', '1.8']);
  for (const wrong of ['v1.8', '1.4', '', 1.8, null, ['1.8']]) {
    expect(await savedVersion(wrong)).toMatchObject([
      { path: 'metadata.webhookVersion', message: expect.stringMatching(/`1\.8` or `v1\.4`/) },
    ]);
  }
});

const types = [
  ...['channel-answer', 'channel-hangup', 'channel-create', 'channel-ringing'],
  ...['call-priced', 'recording-ready', 'charge-paid', 'balance-low'],
];

test('INTEG-04 INTEG-08 accepts every type, alone and together, and names those it rejects', async () => {
  const person = await account.addUser();
  for (const webhookTypes of [...types.map((type) => [type]), types]) {
    const answer = await save(person, integrationBody({}, { webhookTypes }));
    expect([answer.status, answer.body.metadata.webhookTypes]).toEqual([200, webhookTypes]);
    expect((await readRow(answer.body.id))?.webhook_types).toEqual(webhookTypes);
  }
  for (const webhookTypes of [undefined, [], 'channel-answer', ['channel-answer', 'nope'], [7], {}, null]) {
    const answer = await save(person, integrationBody({}, { webhookTypes }));
    expect([webhookTypes, answer.status]).toEqual([webhookTypes, 422]);
    const [fault] = answer.body.error.details;
    expect(fault.path).toBe('metadata.webhookTypes');
    for (const type of types) expect(fault.message).toContain(`\`${type}\``);
  }
});

test('INTEG-04 a webhook needs a valid http URL', async () => {
  const person = await account.addUser();
  const wrong = [
    ...[undefined, null, 7, '', 'hooks.example.com', '/hook', 'ftp://example.com/', 'https://'],
    ...['https://user:pass@example.com/', 'https://user@example.com/', 'https://example.com:22/'],
    ...['https://example.com:0/', 'https://example.com:65536/', `https://example.com/${'x'.repeat(2_000)}`],
  ];
  for (const webhookUrl of wrong) {
    const answer = await save(person, integrationBody({}, { webhookUrl }));
    expect([webhookUrl, answer.status]).toEqual([webhookUrl, 422]);
    expect(answer.body.error.details).toMatchObject([{ path: 'metadata.webhookUrl' }]);
  }
  for (const webhookUrl of [
    'http://example.com/',
    'https://example.com:8443/a?b#c',
    'https://münchen.example/',
  ]) {
    const answer = await save(person, integrationBody({}, { webhookUrl }));
    expect([answer.status, answer.body.metadata.webhookUrl]).toEqual([200, webhookUrl]);
  }
  const everything = await save(person, { gateway: 'x', webhook: true, metadata: { webhookVersion: '2' } });
  expect(everything.body.error.details.map(({ path }: { path: string }) => path)).toEqual([
    'metadata.webhookUrl',
    'metadata.webhookVersion',
    'metadata.webhookTypes',
  ]);
  expect(await list(person)).toHaveLength(1);
});

test('in a live account the URL must be https', async () => {
  const live = await createAccount(platform);
  await platform.database.query(`update accounts set mode = 'live' where id = $1`, [live.id]);
  const plain = await save(live.admin, integrationBody({}, { webhookUrl: 'http://example.com/' }));
  expect([plain.status, plain.body.error.details[0].message]).toEqual([
    422,
    expect.stringContaining('https://'),
  ]);
  expect((await save(live.admin, integrationBody())).status).toBe(200);
});

test('HOOK-09 a constraint may be flat or nested under metadata, and is returned as sent', async () => {
  const person = await account.addUser();
  const savedConstraint = async (webhookConstraint: object) => {
    const { body } = await save(person, integrationBody({ webhookConstraint }));
    expect(body.webhookConstraint).toEqual(webhookConstraint);
    return (await readRow(body.id))?.constraint_metadata;
  };
  expect(await savedConstraint({ a: 1, b: { c: 'x' } })).toEqual({ a: 1, b: { c: 'x' } });
  expect(await savedConstraint({ metadata: { a: 1, b: { c: 'x' } } })).toEqual({ a: 1, b: { c: 'x' } });
  expect(await savedConstraint({ a: 1, metadata: { b: 2 } })).toEqual({ a: 1, b: 2 });
  expect(await savedConstraint({ metadata: 'x' })).toEqual({ metadata: 'x' });
  expect(await savedConstraint({ metadata: {} })).toEqual({});
  expect(await savedConstraint({})).toEqual({});
});

test('metadata and constraint are bounded, and unknown fields are rejected', async () => {
  const person = await account.addUser();
  const deep = { a: { b: { c: { d: { e: {} } } } } };
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 1]));
  for (const value of [deep, many, { a: 'x'.repeat(17_000) }, { a: '\0' }, 'x', 7, []]) {
    for (const name of ['metadata', 'webhookConstraint']) {
      const answer = await save(person, { gateway: 'x', [name]: value });
      expect([answer.status, answer.body.error.details[0].path]).toEqual([422, name]);
    }
  }
  for (const gateway of ['', ' ', 'x'.repeat(101), 'a\nb', true, null]) {
    expect((await save(person, { gateway })).status).toBe(422);
  }
  const typo = await save(person, { gateway: 'x', webhookConstrain: {} });
  expect(typo.body.error.details[0].message).toContain('webhookConstraint');
  expect(await list(person)).toEqual([]);
});

test('a user has at most 100 integrations', async () => {
  const person = await account.addUser();
  await platform.database.query(
    `insert into integrations (account_id, user_id, gateway, webhook, webhook_constraint, constraint_metadata, metadata,
                               webhook_version, webhook_types, secret_sealed, created_at, updated_at)
     select account_id, id, 'g' || n, false, '{}', '{}', '{}', '1.8', '{}', 'x', now(), now()
       from users, generate_series(1, 99) n where uuid = $1`,
    [person.uuid],
  );
  expect((await save(person, { gateway: 'last' })).status).toBe(200);
  const over = await save(person, { gateway: 'over' });
  expect([over.status, over.body.error.errorCode]).toEqual([409, 'INTEGRATION_LIMIT']);
  expect((await save(person, { gateway: 'last', webhook: false })).status).toBe(200);
  expect((await list(person)).length).toBe(100);
});

test('every change is in the audit log, without secrets or values that may be secret', async () => {
  const { body } = await save(account.admin, integrationBody({ gateway: 'audited' }));
  await save(account.admin, { id: body.id, metadata: { ...body.metadata, token: 'hidden-token' } });
  await account.admin.client.post(`/integrations/${body.id}/secret/rotate`);
  await account.admin.client.delete(`/integrations/${body.id}`);
  const filter = JSON.stringify({ where: { targetType: 'integration', targetId: String(body.id) } });
  const { body: page, text } = await account.admin.client.get('/audit', { query: { page: '1', filter } });
  expect(page.data.map(({ action }: { action: string }) => action)).toEqual([
    'integration.remove',
    'integration.rotate-secret',
    'integration.update',
    'integration.create',
  ]);
  expect(page.data[3].after).toMatchObject({
    gateway: 'audited',
    webhookOrigin: 'https://hooks.example.com',
  });
  expect(page.data[2].after).toEqual({ metadata_changed: true });
  for (const secret of ['whsec_', 'hidden-token', 'key=abc', 'secretSealed', 'secret_sealed']) {
    expect(text).not.toContain(secret);
  }
});
