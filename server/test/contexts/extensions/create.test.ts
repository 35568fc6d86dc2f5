import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestKeys } from '../../harness/digest-keys.ts';
import { extensionBody } from '../../harness/fixtures/extensions.ts';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let other: TestAccount;
let admin: Person;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  other = await createAccount(platform);
  admin = account.admin;
});
afterAll(() => platform.close());

const create = (changes: Record<string, unknown> = {}) =>
  admin.client.post('/extensions', extensionBody(changes));
const pickErrors = (answer: { body: { error: { details: { path: string; code: string }[] } } }) =>
  answer.body.error.details.map(({ path, code }) => `${path} ${code}`);
const countRows = async () => (await platform.database.query('select from extensions')).length;

describe('created extension', () => {
  test('EXT-01 EXT-02 has the values sent and every field in its type', async () => {
    const sent = extensionBody({ ramal: '2001', bina: '551140028922', gravar_audio: 1 });
    const { status, body } = await admin.client.post('/extensions', sent);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...sent,
      id: expect.any(Number),
      domain: account.domain,
      auto_answer: 0,
      registered: false,
      registered_at: null,
    });
    expect((await admin.client.get(`/extensions/${body.id}`)).body).toEqual(body);
  });

  test('EXT-02 has an empty bina by default, and may have a leading zero', async () => {
    const { status, body } = await create({ ramal: '010' });
    expect([status, body.ramal, body.bina]).toEqual([200, '010', '']);
    expect((await create({ ramal: '10' })).status).toBe(200);
  });

  test.each([
    ['+55 11 4002-8922', '551140028922'],
    ['(11) 4002-8922', '551140028922'],
    ['1140028922', '1140028922'],
  ])('CALL-46 stores the bina %s as %s', async (bina, stored) => {
    const { status, body } = await create({ bina });
    expect([status, body.bina]).toEqual([200, stored]);
  });

  test('ACCT-03 has the domain of its account', async () => {
    const theirs = await other.admin.client.post('/extensions', extensionBody());
    expect([(await create()).body.domain, theirs.body.domain]).toEqual([account.domain, other.domain]);
  });

  test('EXT-15 accepts gravar_audio as 0, 1, true or false, also as strings, and returns 0 or 1', async () => {
    for (const [sent, expected] of [
      [0, 0],
      [1, 1],
      [false, 0],
      [true, 1],
      ['0', 0],
      ['1', 1],
      ['false', 0],
      ['true', 1],
    ]) {
      const { body } = await create({ gravar_audio: sent, auto_answer: sent });
      expect([body.gravar_audio, body.auto_answer]).toEqual([expected, expected]);
      const [listed] = (await admin.client.list('/extensions', { where: { id: body.id } })).body;
      expect([listed.gravar_audio, listed.auto_answer]).toEqual([expected, expected]);
    }
    for (const sent of [2, -1, '2', 'yes', '', null, [1]]) {
      expect(pickErrors(await create({ gravar_audio: sent }))).toEqual(['gravar_audio invalid_value']);
    }
  });
});

describe('rejects', () => {
  test('ERR-05 EXT-02 every missing required field by name, and creates nothing', async () => {
    const before = await countRows();
    const answer = await admin.client.post('/extensions', { bina: '5511' });
    expect(answer.status).toBe(422);
    expect(pickErrors(answer)).toEqual(
      ['ramal', 'senha', 'first_name', 'last_name', 'email_address', 'gravar_audio'].map(
        (name) => `${name} required`,
      ),
    );
    expect(await countRows()).toBe(before);
  });

  test('EXT-12 a ramal that is not 2 to 8 digits', async () => {
    for (const ramal of [
      '1',
      '123456789',
      '',
      '12a',
      ' 12',
      '12 ',
      '1.2',
      '-12',
      '+12',
      '١٢٣',
      '12\n',
      1,
      12.5,
      123_456_789,
    ]) {
      const answer = await create({ ramal });
      expect([ramal, answer.status, answer.body.error.errorCode]).toEqual([ramal, 422, 'VALIDATION_ERROR']);
      expect(answer.body.error.details[0].path).toBe('ramal');
    }
    for (const ramal of ['21', '99999999', 1234]) expect((await create({ ramal })).status).toBe(200);
  });

  test('EXT-12 ERR-05 a ramal used in the account, while another account may use it', async () => {
    expect((await create({ ramal: '7001' })).status).toBe(200);
    const again = await create({ ramal: '7001' });
    expect([again.status, again.body.error.errorCode]).toEqual([422, 'VALIDATION_ERROR']);
    expect(pickErrors(again)).toEqual(['ramal duplicate']);
    const theirs = await other.admin.client.post('/extensions', extensionBody({ ramal: '7001' }));
    expect([theirs.status, theirs.body.ramal]).toEqual([200, '7001']);
  });

  test('EXT-12 all but one of several concurrent requests for one ramal', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ ramal: '7002' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)]);
  });

  test('EXT-13 a senha that is not 8 to 64 characters long or equals the ramal', async () => {
    const refused = {
      short: 'a'.repeat(7),
      long: 'a'.repeat(65),
      control: 'segredo\n123',
      half: 'segredo-\ud800',
    };
    for (const senha of Object.values(refused)) {
      const answer = await create({ senha });
      expect([answer.status, answer.body.error.details[0].path]).toEqual([422, 'senha']);
    }
    expect(pickErrors(await create({ ramal: '12345678', senha: '12345678' }))).toEqual(['senha invalid']);
    for (const senha of ['eight-88', 'Sixteen-long-16-'.repeat(4), ' com espaços ', 'ção:"\\@ü€']) {
      const { status, body } = await create({ senha });
      expect([status, body.senha]).toEqual([200, senha]);
    }
  });

  test('EXT-22 a common senha, with the other errors of the request', async () => {
    const before = await countRows();
    for (const senha of ['12345678', '00000000', 'iloveyou', 'Senha123'])
      expect([senha, pickErrors(await create({ senha }))]).toEqual([senha, ['senha common_password']]);
    const { ramal: _, ...next } = extensionBody({ senha: '12345678' });
    const attempts = [
      await admin.client.post('/extensions/next-available', next),
      await admin.client.patch('/extensions', extensionBody({ senha: '12345678' })),
    ];
    for (const answer of attempts) expect(pickErrors(answer)).toEqual(['senha common_password']);
    const incomplete = { ...next, first_name: '' };
    expect(pickErrors(await admin.client.post('/extensions/next-available', incomplete))).toEqual([
      'first_name too_small',
      'senha common_password',
    ]);
    const rows = [extensionBody(), extensionBody({ senha: '12345678' })];
    expect(pickErrors(await admin.client.post('/extensions/bulk', { extensions: rows }))).toEqual([
      'extensions.1.senha common_password',
    ]);
    expect(await countRows()).toBe(before);
  });

  test('EXT-12 EXT-13 a taken ramal and an equal senha in one response', async () => {
    await create({ ramal: '87654321' });
    const answer = await create({ ramal: '87654321', senha: '87654321' });
    expect(pickErrors(answer)).toEqual(['ramal duplicate', 'senha invalid']);
  });

  test('CALL-46 a bina that is no telephone number', async () => {
    for (const bina of ['+5511', '55 11', 'anonymous', '5511;x=1', '1'.repeat(16), true]) {
      expect([bina, pickErrors(await create({ bina })).length]).toEqual([bina, 1]);
    }
  });

  test('ERR-11 an unknown field, naming the nearest valid one; read-only fields are ignored', async () => {
    const unknown = await create({ gravar_audo: 1 });
    expect([unknown.status, unknown.body.error.message]).toEqual([
      422,
      expect.stringContaining('`gravar_audio`'),
    ]);
    const { status, body } = await create({
      id: 1,
      domain: 'x',
      registered: true,
      registered_at: 'x',
      user: 1,
    });
    expect([status, body.domain, body.registered]).toEqual([200, account.domain, false]);
    expect(body.id).not.toBe(1);
  });

  test('AUTH-15 a USER, whatever the body', async () => {
    const user = await account.addUser();
    const { body } = await create();
    const before = await platform.database.query('select * from extensions order by id');
    const answers = [
      await user.client.post('/extensions', extensionBody()),
      await user.client.patch('/extensions', extensionBody()),
      await user.client.patch('/extensions', { id: body.id, first_name: 'Eva' }),
      await user.client.post('/extensions/next-available', extensionBody({ ramal: undefined })),
      await user.client.post('/extensions/bulk', { extensions: [extensionBody()] }),
      await user.client.delete(`/extensions/${body.id}`),
    ];
    for (const { status, body: refused } of answers)
      expect([status, refused.error.errorCode]).toEqual([403, 'ACCESS_DENIED']);
    expect(await platform.database.query('select * from extensions order by id')).toEqual(before);
  });
});

describe('SIP password', () => {
  test('EXT-14 is returned to an ADMIN and omitted for a USER, everywhere', async () => {
    const user = await account.addUser();
    const sent = extensionBody();
    const { id } = (await admin.client.post('/extensions', sent)).body;
    const filter = { where: { id } };
    for (const [client, senha] of [
      [admin.client, sent.senha],
      [user.client, undefined],
    ] as const) {
      expect((await client.get(`/extensions/${id}`)).body.senha).toBe(senha);
      const [listed] = (await client.list('/extensions', filter)).body;
      expect([listed.ramal, listed.senha, 'senha' in listed]).toEqual([
        sent.ramal,
        senha,
        senha !== undefined,
      ]);
      const [picked] = (await client.list('/extensions', { ...filter, fields: ['senha'] })).body;
      expect(picked).toEqual(senha === undefined ? {} : { senha });
    }
    const searched = await admin.client.list('/extensions', { where: { senha: sent.senha } });
    expect(searched.status).toBe(400);
  });

  test('REST-01 is stored encrypted, as is its digest, and is in no log and no audit entry', async () => {
    const senha = 'canary-senha-1';
    const { id, ramal } = (await create({ senha })).body;
    await create({ ramal, senha });
    await admin.client.patch('/extensions', { id, senha: 'canary-senha-2' });
    const [row] = await platform.database.query<Record<string, string>>(
      'select * from extensions where id = $1',
      [id],
    );
    const digest = createHash('md5').update(`${ramal}:${account.domain}:canary-senha-2`).digest('hex');
    expect(row?.ha1).toBeNull();
    expect(digestKeys.open({ username: ramal, domain: account.domain }, row?.ha1_sealed ?? '')).toBe(digest);
    expect(JSON.stringify(row)).not.toMatch(`canary|${digest}`);
    expect(platform.api.base.keyRing.open('extension-password', row?.senha_sealed ?? '')).toBe(
      'canary-senha-2',
    );
    const entries = await platform.database.query<{ after: unknown }>(
      `select * from audit_entries where target_type = 'extension' and target_id = $1 order by id`,
      [String(id)],
    );
    expect(entries.map(({ after }) => after)).toEqual([
      expect.objectContaining({ ramal }),
      { senha_changed: true },
    ]);
    expect(JSON.stringify(entries)).not.toContain('canary');
    expect(platform.logLines.join('\n')).not.toContain('canary');
  });
});
