import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { compressedOnce, compressResponses } from '../../src/http/compression.ts';
import { serializerCompiler, validatorCompiler } from '../../src/http/validation.ts';
import type { JsonSchema } from '../harness/contract.ts';
import { listOperations, listProperties } from '../harness/operations.ts';
import { createAccount, type TestAccount } from '../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;
let small: FastifyInstance;
const large = 'Disca '.repeat(1_000);

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
  small = await serveEveryKind();
});
afterAll(async () => await small.close());

/** Serves a large response of each kind. */
async function serveEveryKind(): Promise<FastifyInstance> {
  const app = Fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await compressResponses(app);
  const file = (type: string) => ({
    200: { description: 'A file.', content: { [type]: { schema: z.string() } } },
  });
  const secret = z.string().meta({ format: 'password' });
  const bodies = {
    json: { 200: z.object({ text: z.string() }) },
    secret: {
      200: z.object({ text: z.string(), inner: z.array(z.object({ secret }).partial()).optional() }),
    },
  };
  for (const [name, response] of Object.entries(bodies))
    app.get(`/api/v1/${name}`, { schema: { response } }, () => ({ text: large }));
  for (const type of ['text/event-stream', 'text/csv', 'audio/wav'])
    app.get(`/api/v1/${type}`, { schema: { response: file(type) } }, (_request, reply) =>
      reply.type(type).send(Readable.from([large])),
    );
  app.get('/page', { schema: { response: bodies.json } }, () => ({ text: large }));
  return app;
}

const get = async (app: FastifyInstance, url: string, encoding?: string, headers = {}) =>
  await app.inject({
    url,
    headers: { ...headers, ...(encoding === undefined ? {} : { 'accept-encoding': encoding }) },
  });

test('COMPAT-10 compresses large JSON with br or gzip, as requested', async () => {
  for (const [accepted, used] of [
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
  ]) {
    const answer = await get(small, '/api/v1/json', accepted);
    expect([accepted, answer.headers['content-encoding']]).toEqual([accepted, used]);
    expect(answer.headers.vary).toMatch(/accept-encoding/i);
    expect(answer.rawPayload.length).toBeLessThan(1_000);
    const bytes = used === 'br' ? brotliDecompressSync(answer.rawPayload) : gunzipSync(answer.rawPayload);
    expect(JSON.parse(bytes.toString())).toEqual({ text: large });
  }
});

test('COMPAT-10 compresses neither without being asked nor small responses', async () => {
  for (const accepted of [undefined, 'identity', 'deflate', 'gzip;q=0'])
    expect((await get(small, '/api/v1/json', accepted)).headers['content-encoding']).toBeUndefined();
  const headers = { authorization: account.admin.token };
  const me = await get(platform.app, '/api/v1/users/me', 'gzip', headers);
  expect([me.statusCode, me.headers['content-encoding']]).toEqual([200, undefined]);
  const summary = await get(platform.app, '/api/v1/calls/summary', 'gzip', headers);
  expect([summary.statusCode, summary.headers['content-encoding']]).toEqual([200, 'gzip']);
});

test('COMPAT-10 never compresses streams, files and responses with secrets', async () => {
  for (const path of ['text/event-stream', 'text/csv', 'audio/wav', 'secret']) {
    const answer = await get(small, `/api/v1/${path}`, 'gzip, br');
    expect([path, answer.headers['content-encoding']]).toEqual([path, undefined]);
    expect(answer.body).toContain(large);
  }
});

test('COMPAT-10 the list of extensions with their passwords is not compressed', async () => {
  const { client, token } = account.admin;
  const extensions = Array.from({ length: 20 }, (_, index) => ({
    ramal: String(3000 + index),
    senha: `segredo-${index}-x`,
    first_name: 'Ana',
    last_name: 'Souza',
    email_address: 'ana@example.com',
    gravar_audio: 0,
  }));
  expect((await client.post('/extensions/bulk', { extensions })).status).toBe(200);
  const answer = await get(platform.app, '/api/v1/extensions', 'gzip, br', { authorization: token });
  expect(answer.json()).toHaveLength(20);
  expect(answer.headers['content-encoding']).toBeUndefined();
});

test('COMPAT-10 every secret in a response is described as a password', () => {
  const secrets = listOperations(platform.document).flatMap(({ name, responses }) =>
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, { content }]) => secretsIn(content?.['application/json']?.schema ?? {}))
      .map((field) => `${name} ${field}`),
  );
  expect(secrets).toContain('POST /users/login id');
  expect(secrets).toContain('POST /users/accessTokens id');
  expect(secrets).toContain('GET /integrations/{id}/secret secret');
  expect(secrets).toContain('GET /extensions senha');
  expect(secrets).toContain('POST /extensions/{id}/phone-sessions credential');
});

/** Returns the fields with a secret; fails for one that only its name reveals. */
function secretsIn(schema: JsonSchema): string[] {
  const inner = [schema.items, ...((schema.anyOf ?? []) as JsonSchema[])].filter(Boolean) as JsonSchema[];
  return [
    ...listProperties(schema).flatMap(([name, field]) => {
      const isSecret = field.format === 'password';
      if (/^(senha|secret|password|credential|token)$/.test(name))
        expect([name, isSecret]).toEqual([name, true]);
      return isSecret ? [name] : secretsIn(field);
    }),
    ...inner.flatMap(secretsIn),
  ];
}

test('COMPAT-10 the API description is compressed once per encoding', async () => {
  const plain = await get(platform.app, '/api/v1/openapi.json');
  for (const encoding of ['gzip', 'br']) {
    const answer = await get(platform.app, '/api/v1/openapi.json', encoding);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
    const bytes = encoding === 'br' ? brotliDecompressSync(answer.rawPayload) : gunzipSync(answer.rawPayload);
    expect(bytes.toString()).toBe(plain.body);
  }
  const { gzipSync } = compressedOnce().zlib as { gzipSync: (text: string) => Buffer };
  expect(gzipSync(large)).toBe(gzipSync(large));
});

test('COMPAT-10 a compressed request body is refused, not decompressed', async () => {
  const answer = await platform.app.inject({
    method: 'POST',
    url: '/api/v1/users/login',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    payload: Buffer.from([0x1f, 0x8b, 8, 0]),
  });
  expect(answer.statusCode).toBe(400);
});
