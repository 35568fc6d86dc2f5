import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  domain,
  type EdgeFixture,
  readPresence,
  startEdges,
  type TestEdge,
} from '../../harness/edge/edge.ts';
import {
  type ClientOptions,
  type Credentials,
  openSipClient,
  type SipClient,
} from '../../harness/edge/sip-client.ts';
import { statusOf } from '../../harness/edge/sip-message.ts';

let fixture: EdgeFixture;
let edge: TestEdge;
const clients: SipClient[] = [];

beforeAll(async () => {
  fixture = await startEdges();
  edge = await fixture.startEdge({ FLOOD_REQUESTS: 1_000 });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await fixture.close();
});
beforeEach(() => requireEncryption(false));

async function requireEncryption(isRequired: boolean): Promise<void> {
  await fixture.database.query('update accounts set encrypted_phones_only = $1 where domain = $2', [
    isRequired,
    domain,
  ]);
}

type TransportName = NonNullable<ClientOptions['transport']>;

async function phone(transport: TransportName): Promise<SipClient> {
  const server = { udp: edge.public, tcp: edge.public, tls: edge.tls, wss: edge.wss }[transport];
  const client = await openSipClient({ server, transport });
  clients.push(client);
  return client;
}

const isRegistered = async (extension: Credentials): Promise<boolean | undefined> =>
  (await readPresence(fixture.database, extension))?.isRegistered;

test.for(['udp', 'tcp'] as const)(
  'EXT-26 an account with encrypted phones only refuses logins and calls over %s',
  async (transport) => {
    const extension = await fixture.addExtension(transport === 'udp' ? '5001' : '5002');
    await requireEncryption(true);
    const client = await phone(transport);
    expect((await client.register(extension)).startLine).toBe('SIP/2.0 403 Encryption Required');
    expect(await isRegistered(extension)).not.toBe(true);
    // Only a phone that knows the password learns the reason.
    const wrong = await client.register({ ...extension, senha: 'wrong' });
    expect(wrong.startLine).toBe('SIP/2.0 403 Forbidden');

    const startLine = `INVITE sip:5511987654321@${domain} SIP/2.0`;
    const headers: [string, string][] = [
      ['From', `<sip:${extension.ramal}@${domain}>;tag=a`],
      ['To', `<sip:5511987654321@${domain}>`],
      ['Contact', `<sip:${extension.ramal}@127.0.0.1:9>`],
    ];
    const refused = await client.askAs(extension, { startLine, headers });
    expect(refused?.startLine).toBe('SIP/2.0 403 Encryption Required');

    await requireEncryption(false);
    expect(statusOf(await client.register(extension))).toBe(200);
  },
);

test.for(['tls', 'wss'] as const)(
  'EXT-26 an account with encrypted phones only accepts logins over %s',
  async (transport) => {
    const extension = await fixture.addExtension(transport === 'tls' ? '5003' : '5004');
    await requireEncryption(true);
    expect(statusOf(await (await phone(transport)).register(extension))).toBe(200);
    expect(await isRegistered(extension)).toBe(true);
  },
);

test('EXT-26 switching it on ends the registrations of other phones and no more', async () => {
  const [plain, encrypted] = [await fixture.addExtension('5005'), await fixture.addExtension('5006')];
  expect(statusOf(await (await phone('udp')).register(plain))).toBe(200);
  expect(statusOf(await (await phone('tls')).register(encrypted))).toBe(200);
  expect([await isRegistered(plain), await isRegistered(encrypted)]).toEqual([true, true]);
  await requireEncryption(true);
  expect([await isRegistered(plain), await isRegistered(encrypted)]).toEqual([false, true]);
});
