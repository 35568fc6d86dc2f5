import { beforeAll, describe, expect, test } from 'vitest';
import { extensionBody } from '../../harness/fixtures/extensions.ts';
import { createAccount, type Person, password, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;
let admin: Person;

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
  admin = account.admin;
});

const handlings = ['strict', 'lenient'].map((handling) => ({ headers: { prefer: `handling=${handling}` } }));

const newExtension = async () => (await admin.client.post('/extensions', extensionBody())).body;

describe('scalars', () => {
  test('COMPAT-03 EXT-15 an extension takes numbers as strings and the reverse', async () => {
    for (const options of handlings) {
      const { ramal, ...rest } = extensionBody({ senha: 9172635408, bina: 551140028922, gravar_audio: '1' });
      const sent = { ...rest, ramal: Number(ramal), auto_answer: 'false' };
      const { status, body } = await admin.client.post('/extensions', sent, options);
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ ramal, bina: '551140028922', senha: '9172635408', gravar_audio: 1 }),
      ]);
      expect(body.auto_answer).toBe(0);
    }
  });

  test('COMPAT-03 a lifetime, an amount and a boolean are read from strings', async () => {
    for (const options of handlings) {
      const token = await admin.client.post('/users/accessTokens', { ttl: '3600' }, options);
      expect([token.status, token.body.ttl]).toEqual([200, 3600]);
      const login = { email: admin.email, password, ttl: '-1' };
      expect((await platform.client().post('/users/login', login, options)).body.ttl).toBe(-1);
      const threshold = await admin.client.patch('/accounts', { balanceLowThreshold: '12.50' }, options);
      expect(threshold.body.balanceLowThreshold).toBe(12.5);
      const bulk = { extensions: [{ ...extensionBody(), gravar_audio: 'true' }], dryRun: 'true' };
      const dry = await admin.client.post('/extensions/bulk', bulk, options);
      expect([dry.status, dry.body]).toEqual([200, []]);
      const profile = await admin.client.patch('/users', { phone: 5511987654321 }, options);
      expect([profile.status, profile.body.phone]).toEqual([200, '5511987654321']);
    }
  });

  test('COMPAT-03 what is no number, or would lose digits, stays an error of its field', async () => {
    const wrong: [string, object, string][] = [
      ['/users/accessTokens', { ttl: '12abc' }, 'ttl'],
      ['/users/accessTokens', { ttl: '1e3' }, 'ttl'],
      ['/users/accessTokens', { ttl: ' 3600' }, 'ttl'],
      ['/users/accessTokens', { ttl: true }, 'ttl'],
      ['/users/accessTokens', { ttl: [3600] }, 'ttl'],
      ['/extensions', extensionBody({ ramal: true }), 'ramal'],
      ['/extensions', extensionBody({ ramal: [1000] }), 'ramal'],
      ['/extensions', extensionBody({ ramal: 1000.5 }), 'ramal'],
      ['/extensions', extensionBody({ gravar_audio: '2' }), 'gravar_audio'],
      ['/extensions', extensionBody({ senha: 2 ** 63 }), 'senha'],
      ['/extensions/bulk', { extensions: [extensionBody()], dryRun: '1' }, 'dryRun'],
      ['/extensions/bulk', { extensions: [extensionBody()], dryRun: 1 }, 'dryRun'],
      ['/extensions/bulk', { extensions: '5' }, 'extensions'],
    ];
    for (const options of handlings)
      for (const [path, body, field] of wrong) {
        const answer = await admin.client.post(path, body, options);
        const paths = answer.body.error?.details.map((each: { path: string }) => each.path);
        expect([path, body, answer.status, paths]).toEqual([path, body, 422, [field]]);
      }
  });

  test('COMPAT-03 ERR-04 errors that need the database are found in converted fields', async () => {
    const { ramal } = await newExtension();
    const wrong = extensionBody({ ramal: Number(ramal), senha: 'x' });
    for (const send of [admin.client.post, admin.client.patch]) {
      const { body } = await send('/extensions', wrong);
      const found = body.error.details.map(
        (each: { path: string; code: string }) => `${each.path} ${each.code}`,
      );
      expect(found.toSorted()).toEqual(['ramal duplicate', 'senha too_small']);
    }
    const rows = [extensionBody({ ramal: Number(ramal) }), extensionBody({ gravar_audio: 5 })];
    const bulk = await admin.client.post('/extensions/bulk', { extensions: rows });
    expect(bulk.body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'extensions.0.ramal',
      'extensions.1.gravar_audio',
    ]);
  });

  test('COMPAT-03 nothing inside metadata or webhookConstraint is converted', async () => {
    const values = {
      number: 5,
      text: '5',
      none: null,
      empty: '',
      nested: { flag: 'true', list: ['1', 1, null] },
    };
    const body = { gateway: 'untouched', metadata: values, webhookConstraint: values };
    for (const options of handlings) {
      const saved = await admin.client.patch('/integrations', body, options);
      expect([saved.status, saved.body.metadata, saved.body.webhookConstraint]).toEqual([
        200,
        values,
        values,
      ]);
      expect(saved.headers['disca-ignored']).toBeUndefined();
    }
  });
});

describe('null and empty texts', () => {
  test('COMPAT-03 are absent for an optional field in a creation', async () => {
    for (const options of handlings)
      for (const empty of [null, '']) {
        const sent = extensionBody({ bina: empty, auto_answer: empty, id: empty });
        const created = await admin.client.post('/extensions', sent, options);
        expect([created.status, created.body.bina, created.body.auto_answer]).toEqual([200, '', 0]);
        const token = await admin.client.post('/users/accessTokens', { ttl: empty, name: empty }, options);
        expect([token.status, token.body.ttl]).toEqual([200, 1_209_600]);
      }
  });

  test('COMPAT-03 EXT-03 clear an optional field in a PATCH', async () => {
    for (const options of handlings)
      for (const empty of [null, '']) {
        const { id } = await newExtension();
        await admin.client.patch('/extensions', { id, bina: '551140028922', auto_answer: 1 });
        const cleared = { id, bina: empty, auto_answer: empty };
        const { status, body } = await admin.client.patch('/extensions', cleared, options);
        expect([status, body.bina, body.auto_answer]).toEqual([200, '', 0]);
        await admin.client.patch('/integrations', { gateway: 'cleared', metadata: { a: 1 } });
        const emptied = { gateway: 'cleared', metadata: empty, webhook: empty };
        const saved = await admin.client.patch('/integrations', emptied, options);
        expect([saved.status, saved.body.metadata, saved.body.webhook]).toEqual([200, {}, false]);
      }
  });

  test('COMPAT-03 are refused for a required field, in a creation and in a PATCH', async () => {
    const extension = await newExtension();
    const required = ['ramal', 'senha', 'first_name', 'last_name', 'email_address', 'gravar_audio'];
    for (const options of handlings)
      for (const empty of [null, ''])
        for (const name of required) {
          const created = await admin.client.post('/extensions', extensionBody({ [name]: empty }), options);
          const changed = await admin.client.patch(
            '/extensions',
            { id: extension.id, [name]: empty },
            options,
          );
          const saved = await admin.client.patch('/extensions', extensionBody({ [name]: empty }), options);
          for (const { status, body } of [created, changed, saved])
            expect([status, body.error?.details[0].path]).toEqual([422, name]);
        }
    expect((await admin.client.get(`/extensions/${extension.id}`)).body).toEqual(extension);
    for (const empty of [null, '']) {
      expect((await admin.client.patch('/users', { name: empty })).status).toBe(422);
      expect((await admin.client.patch('/accounts', { timezone: empty })).status).toBe(422);
    }
  });

  test('COMPAT-03 never select another user to change', async () => {
    for (const [uuid, status] of [
      [null, 422],
      ['', 404],
    ]) {
      const answer = await admin.client.patch('/users', { uuid, name: 'Outro nome' });
      expect(answer.status, String(uuid)).toBe(status);
    }
    expect((await admin.client.get('/users/me')).body.name).not.toBe('Outro nome');
  });
});

describe('id', () => {
  test('COMPAT-03 EXT-04 null, "" and 0 create an extension', async () => {
    for (const options of handlings)
      for (const id of [null, '', 0, '0']) {
        const sent = extensionBody({ id });
        const { status, body } = await admin.client.patch('/extensions', sent, options);
        expect([status, body.ramal]).toEqual([200, sent.ramal]);
        const incomplete = await admin.client.patch('/extensions', { id, bina: '' }, options);
        expect(incomplete.body.error.details).toHaveLength(6);
      }
    for (const id of [-1, ' ', 'x', 0.5, 999_999_999_999_999, '99999999999999999999'])
      expect((await admin.client.patch('/extensions', extensionBody({ id }))).status, String(id)).toBe(404);
    for (const id of [false, [], {}])
      expect((await admin.client.patch('/extensions', extensionBody({ id }))).status).toBe(422);
  });

  test('COMPAT-03 a number as a string updates', async () => {
    const { id } = await newExtension();
    const { status, body } = await admin.client.patch('/extensions', { id: String(id), first_name: 'Bia' });
    expect([status, body.id, body.first_name]).toEqual([200, id, 'Bia']);
  });

  test('COMPAT-03 INTEG-06 null, "" and 0 find an integration by its gateway', async () => {
    const { body: first } = await admin.client.patch('/integrations', { gateway: 'by-gateway' });
    for (const id of [null, '', 0]) {
      const { status, body } = await admin.client.patch('/integrations', { id, gateway: 'by-gateway' });
      expect([status, body.id]).toEqual([200, first.id]);
    }
  });
});
