import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type NameServer, startNameServer } from '../../../../tools/dev/services/knot.ts';
import { createIdentityProviders } from '../../../src/adapters/identity/index.ts';
import { createGuardedFetch, type GuardedFetch } from '../../../src/adapters/webhooks/index.ts';
import { makeCertificate } from '../webhooks/servers.ts';

const zone = 'guard.test';
const flow = {
  state: 's'.repeat(43),
  nonce: 'n'.repeat(43),
  codeVerifier: 'v'.repeat(43),
  isFresh: false,
  loginHint: undefined,
};
let dns: NameServer;
let directory: string;
let server: Server;
let guarded: GuardedFetch;
let origin: string;
let requests: string[] = [];
/** What the provider responds, by path. */
const responses: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {};

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'disca-knot-'));
  dns = await startNameServer(directory, zone);
  await dns.serve([
    `private.${zone}. A 10.1.2.3`,
    `metadata.${zone}. A 169.254.169.254`,
    `unique-local.${zone}. AAAA fd00::1`,
    `mapped.${zone}. AAAA ::ffff:10.1.2.3`,
  ]);
  const { key, cert } = await makeCertificate('DNS:localhost,IP:127.0.0.1');
  server = createServer({ key, cert }, (request, response) => {
    requests.push(request.url ?? '');
    const respond = responses[request.url ?? ''];
    if (respond) respond(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  guarded = createGuardedFetch({
    allowedNetworks: ['127.0.0.0/8'],
    nameServers: [dns.address],
    certificateAuthority: cert,
  });
});
beforeEach(() => {
  requests = [];
});
afterAll(async () => {
  await guarded?.close();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
  await dns?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const clientAt = (issuer: string) => ({
  issuer,
  clientId: 'disca',
  clientSecret: 'a-client-secret',
  redirectUrl: 'https://console.disca.test/sso/callback',
});
const begin = (issuer: string) => createIdentityProviders(guarded).begin(clientAt(issuer), flow);
const finish = (issuer: string) =>
  createIdentityProviders(guarded).finish(clientAt(issuer), flow, `?code=a-code&state=${flow.state}`);

const json = (body: object) => (_request: IncomingMessage, response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const discoveryPath = (name: string) => `/${name}/.well-known/openid-configuration`;

/** Serves the discovery of an issuer, with changes. */
function discover(name: string, changes: object = {}): string {
  const issuer = `${origin}/${name}`;
  responses[discoveryPath(name)] = json({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    ...changes,
  });
  return issuer;
}

const forbidden = { outcome: 'unavailable', detail: expect.stringMatching(/address/) };

test('SSO-02 an issuer whose name leads to an address that is not public is not reached', async () => {
  for (const name of ['private', 'metadata', 'unique-local', 'mapped'])
    expect([name, await begin(`https://${name}.${zone}`)]).toEqual([name, forbidden]);
  expect(await begin(discover('public'))).toMatchObject({ outcome: 'done' });
});

test('SSO-02 a token endpoint that is not public gets no code', async () => {
  for (const host of ['10.1.2.3', '[::1]', `private.${zone}`]) {
    const issuer = discover('tokens', { token_endpoint: `https://${host}/token` });
    expect([host, await finish(issuer)]).toEqual([host, forbidden]);
  }
  expect(new Set(requests)).toEqual(new Set([discoveryPath('tokens')]));
});

test('SSO-02 keys are not read from an address that is not public', async () => {
  for (const host of ['10.1.2.3', `private.${zone}`]) {
    const issuer = discover('keys', { jwks_uri: `https://${host}/jwks` });
    const seconds = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: 'disca',
      sub: 'ana',
      nonce: flow.nonce,
      iat: seconds,
      exp: seconds + 60,
    };
    const parts = [{ alg: 'RS256', kid: 'test' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const idToken = `${parts.join('.')}.${'A'.repeat(342)}`;
    responses['/keys/token'] = json({ access_token: 'a', token_type: 'Bearer', id_token: idToken });
    expect([host, await finish(issuer)]).toEqual([host, forbidden]);
    expect(requests).toContain('/keys/token');
  }
});

test('SSO-02 a redirect of the provider is not followed', async () => {
  discover('target');
  responses[discoveryPath('moved')] = (_request, response) =>
    response.writeHead(302, { location: `${origin}${discoveryPath('target')}` }).end();
  expect((await begin(`${origin}/moved`)).outcome).not.toBe('done');
  expect(requests).toEqual([discoveryPath('moved')]);
});

test('SSO-02 a response of more than 512 kB is refused, and one of less is read', async () => {
  const most = 512 * 1024;
  expect((await begin(discover('long', { filler: 'x'.repeat(most - 2_000) }))).outcome).toBe('done');
  const longer = await begin(discover('longer', { filler: 'x'.repeat(most) }));
  expect(longer).toEqual({ outcome: 'unavailable', detail: 'The response is too long.' });
});

test('SSO-02 a response that is not complete within 10 s is given up', { timeout: 20_000 }, async () => {
  responses[discoveryPath('slow')] = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 500);
    response.on('close', () => clearInterval(timer));
  };
  const startedMs = performance.now();
  const given = await begin(`${origin}/slow`);
  expect(given).toEqual({ outcome: 'unavailable', detail: 'No complete response within 10 s.' });
  expect(performance.now() - startedMs).toBeGreaterThan(9_500);
});
