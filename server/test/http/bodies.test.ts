import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, type TestAccount } from '../harness/people.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000000' });
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const send = (raw: string | Buffer, type: string | undefined = 'application/json') =>
  account.admin.client.patch('/accounts', undefined, { raw, headers: type ? { 'content-type': type } : {} });

/** A body of exactly `bytes` bytes, valid except for a name that is too long. */
const ofBytes = (bytes: number) => `{"name":"${'x'.repeat(bytes - 11)}"}`;

describe('form', () => {
  test('ERR-01 accepts JSON with any Content-Type parameters and case', async () => {
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON;charset=UTF-8',
    ]) {
      const answer = await send('{"name":"Açaí & Cia"}', type);
      expect(answer.status, type).toBe(200);
      expect(answer.body.name).toBe('Açaí & Cia');
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });

  test('ERR-06 a body with another Content-Type returns 415', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json',
      'json',
      '*/*',
    ];
    for (const type of [...types, 'application/jsonp', 'application/xml', ' ']) {
      const answer = await send('{"name":"Outra"}', type);
      expect(answer.status, type).toBe(415);
      expect(answer.body.error.errorCode).toBe('UNSUPPORTED_MEDIA_TYPE');
    }
  });

  test('bug: ERR-06 a charset other than UTF-8 returns 415', async () => {
    for (const charset of ['ISO-8859-1', 'latin1', 'utf-16', 'windows-1252', '"us-ascii"', '']) {
      const answer = await send('{"name":"Outra"}', `application/json; charset=${charset}`);
      expect(answer.status, charset).toBe(415);
      expect(answer.body.error.errorCode).toBe('UNSUPPORTED_MEDIA_TYPE');
    }
    for (const charset of ['utf-8', 'UTF8', '"utf-8"'])
      expect((await send('{"name":"Outra"}', `application/json;charset=${charset}`)).status).toBe(200);
  });

  test('COMPAT-09 ERR-06 a body that is not UTF-8 returns 400 and stores nothing', async () => {
    const before = (await account.admin.client.get('/accounts')).body.name;
    const malformed = [
      Buffer.from('{"name":"João"}', 'latin1'),
      Buffer.from('{"name":"João"}', 'utf16le'),
      Buffer.from([...Buffer.from('{"name":"'), 0xc0, 0x80, ...Buffer.from('"}')]),
      Buffer.from('{"name":"João"}').subarray(0, 12),
    ];
    for (const raw of malformed) {
      const answer = await send(raw);
      expect(answer.status, raw.toString('hex')).toBe(400);
      expect(answer.body.error.errorCode).toBe('MALFORMED_REQUEST');
    }
    expect((await account.admin.client.get('/accounts')).body.name).toBe(before);
  });

  test('ERR-06 a malformed JSON body returns 400', async () => {
    const malformed = [
      '{',
      '{"name":}',
      "{'name':'a'}",
      '{"name":"a",}',
      'NaN',
      '{"name":"a"} x',
      '\u0000',
      '<a/>',
      '\uFEFF{',
    ];
    for (const text of malformed) {
      const answer = await send(text);
      expect(answer.status, text).toBe(400);
      expect(answer.body.error.errorCode).toBe('MALFORMED_REQUEST');
    }
  });

  test('ERR-06 ERR-12 a body of 64 kB is read, and one byte more returns 413', async () => {
    expect((await send(ofBytes(65_536))).status).toBe(422);
    const answer = await send(ofBytes(65_537));
    expect(answer.status).toBe(413);
    expect(answer.body.error.errorCode).toBe('PAYLOAD_TOO_LARGE');
    expect((await send(ofBytes(5_000_000))).status).toBe(413);
  });
});

describe('bombs', () => {
  const nested = (depth: number) => `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`;

  test('bodies nested up to 20 levels are validated by field, and deeper ones return 400', async () => {
    expect((await send(nested(19))).status).toBe(422);
    for (const depth of [20, 21, 1_000, 32_000]) {
      const answer = await send(nested(depth));
      expect(answer.status, String(depth)).toBe(400);
      expect(answer.body.error.message).toMatch(/20 levels/);
    }
    expect((await send('['.repeat(60_000))).status).toBe(400);
  });

  test('rejects prototype-polluting keys at any depth, without effect on prototypes', async () => {
    const poisoned = [
      '{"__proto__":{"role":"ADMIN"}}',
      '{"name":"a","__proto__":null}',
      '{"constructor":{"prototype":{"role":"ADMIN"}}}',
      '{"name":{"__proto__":{"polluted":true}}}',
      '{"\\u005f_proto__":{"polluted":true}}',
      '[{"__proto__":[]}]',
    ];
    for (const body of poisoned) expect((await send(body)).status, body).toBe(400);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(({} as Record<string, unknown>).role).toBeUndefined();
    for (const key of ['prototype', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__']) {
      const answer = await send(JSON.stringify({ [key]: 'x' }));
      expect(answer.status, key).toBe(422);
      expect(answer.body.error.details[0].code).toBe('unknown_field');
    }
  });

  test('rejects prototype-polluting keys in a filter and in the query string as unknown', async () => {
    const { client } = account.admin;
    for (const filter of [
      '{"__proto__":{"limit":1}}',
      '{"where":{"__proto__":"x"}}',
      '{"where":{"constructor":"x"}}',
    ]) {
      expect((await client.get('/users', { query: { filter } })).status, filter).toBe(400);
    }
    expect((await client.get('/users?__proto__=1')).status).toBe(400);
    expect((await client.get('/users?constructor[prototype]=1')).status).toBe(400);
  });

  test('rejects extreme numbers and texts as invalid values', async () => {
    for (const amount of ['1e999', '-1e999', '1e308', '123456789012345678901234567890', '0.1e-400', '-0']) {
      const answer = await send(`{"balanceLowThreshold":${amount}}`);
      expect([200, 422], amount).toContain(answer.status);
    }
    for (const name of ['\\u0000', '\\ud800', '\\n', '\\u2028']) {
      expect((await send(`{"name":"a${name}b"}`)).status, name).toBe(422);
    }
    expect((await send('{"name":"a","name":"b"}')).body.name).toBe('b');
  });

  test('a body full of unknown fields costs bounded time and gets a bounded response', async () => {
    const keys = Array.from({ length: 5_000 }, (_, index) => `"k${index}":0`);
    const startedAt = performance.now();
    const answer = await send(`{${keys.join(',')}}`);
    expect(answer.status).toBe(422);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(answer.body.error.details).toHaveLength(100);
    expect(answer.text.length).toBeLessThan(100_000);
  });

  test('memory use stays constant under oversized and deeply nested bodies', async () => {
    const bombs = [
      nested(32_000),
      ofBytes(65_536),
      '['.repeat(65_000),
      `[${'0,'.repeat(32_000)}0]`,
      `{"__proto__":${nested(1_000)}}`,
    ];
    const round = async () => {
      for (const bomb of bombs) expect((await send(bomb)).status).toBeGreaterThanOrEqual(400);
    };
    for (let warmUp = 0; warmUp < 5; warmUp++) await round();
    platform.logLines.length = 0;
    const before = settledHeap();
    for (let rounds = 0; rounds < 25; rounds++) await round();
    platform.logLines.length = 0;
    expect(settledHeap() - before).toBeLessThan(15_000_000);
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function settledHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
