import { createHmac, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDev } from '../../../../../tools/dev/paths.ts';
import { startCoturn } from '../../../../../tools/dev/services/coturn.ts';
import type { RunningService } from '../../../../../tools/dev/services/service.ts';
import { chooseCell, mediaNodeAddress, turnAddress } from '../../../../../tools/dev/voice/cell.ts';
import { extensionBody } from '../../../harness/fixtures/extensions.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';
import { type Endpoint, openTurnClient, type TurnClient } from './turn-client.ts';

const secret = randomBytes(24).toString('hex');
const clients: TurnClient[] = [];
let platform: Platform;
let relay: RunningService;
let dir: string;
let relayEndpoint: Endpoint;
let mediaNode: Endpoint;

beforeAll(async () => {
  const cell = await chooseCell();
  relayEndpoint = turnAddress(cell);
  mediaNode = mediaNodeAddress(cell, 1);
  dir = inDev('test', 'voice', `relay-${relayEndpoint.address}`);
  relay = await startCoturn({
    name: `relay-${relayEndpoint.address}`,
    dir,
    ...relayEndpoint,
    secret,
    mediaNodes: mediaNode.address,
  });
  platform = await startPlatform({ TURN_URLS: relay.url, TURN_SECRET: secret });
});
afterAll(async () => {
  for (const client of clients) client.close();
  await relay.stop();
  rmSync(dir, { recursive: true, force: true });
  await platform.close();
});

interface RelayCredentials {
  username: string;
  credential: string;
}

/** Creates an extension and returns a function that opens a session for it. */
async function newPhone(account?: TestAccount): Promise<() => Promise<RelayCredentials>> {
  const { admin } = account ?? (await createAccount(platform));
  const { body } = await admin.client.post('/extensions', extensionBody());
  return async () => {
    const session = await admin.client.post(`/extensions/${body.id}/phone-sessions`);
    return session.body.ice_servers[0];
  };
}

const issued = async (): Promise<RelayCredentials> => await (await newPhone())();

function signed(username: string, by = secret): RelayCredentials {
  return { username, credential: createHmac('sha1', by).update(username).digest('base64') };
}

async function connect(who: RelayCredentials): Promise<TurnClient> {
  const client = await openTurnClient(relayEndpoint, who);
  clients.push(client);
  return client;
}

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

/** Opens a peer that echoes what it receives. */
async function openEcho({ address, port }: Endpoint): Promise<() => void> {
  const socket = createSocket('udp4');
  socket.on('message', (data, from) => socket.send(`echo ${data}`, from.port, from.address));
  await new Promise<void>((resolve) => socket.bind(port, address, resolve));
  return () => socket.close();
}

test('EXT-18 a session’s credentials allocate a relay that forwards media to a media node and back', async () => {
  const closeEcho = await openEcho(mediaNode);
  try {
    const client = await connect(await issued());
    const { error, relayed } = await client.allocate();
    expect([error, relayed?.address]).toEqual([0, relayEndpoint.address]);
    expect(await client.permit(mediaNode)).toBe(0);
    client.send(mediaNode, 'hello');
    expect(await client.receive()).toBe('echo hello');
  } finally {
    closeEcho();
  }
});

test('a relay rejects credentials that are wrong, expired or signed with another secret', async () => {
  const { username, credential } = await issued();
  const [, phone = ''] = username.split(':');
  const refused: RelayCredentials[] = [
    { username, credential: `${credential}x` },
    { username: `${inSeconds(86_400)}:${phone}`, credential },
    signed(`${inSeconds(-10)}:${phone}`),
    signed(username, 'another secret'),
    signed(phone),
  ];
  for (const who of refused) expect((await (await connect(who)).allocate()).error).toBe(401);
});

test('a relay reaches media nodes only, no loopback, private or public addresses', async () => {
  const client = await connect(await issued());
  expect((await client.allocate()).error).toBe(0);
  const elsewhere = [
    '127.0.0.1',
    relayEndpoint.address,
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '8.8.8.8',
  ];
  for (const address of elsewhere) {
    expect([address, await client.permit({ address, port: 80 })]).toEqual([address, 403]);
  }
});

test('allocations per extension are limited, however many sessions it has', async () => {
  const open = await newPhone();
  const names = new Set<string>();
  const errors: number[] = [];
  for (let session = 0; session < 7; session += 1) {
    const who = await open();
    names.add(who.username);
    for (const _way of [1, 2]) errors.push((await (await connect(who)).allocate()).error);
    platform.clock.advance(60);
  }
  expect(names.size).toBe(7);
  expect(errors).toEqual([...Array(12).fill(0), 486, 486]);
  expect((await (await connect(await issued())).allocate()).error, 'another extension').toBe(0);
});

test('LIMIT-24 the extensions of an account with a budget share its quotas of the relay', async () => {
  const account = await createAccount(platform);
  await platform.database.query(
    "insert into account_budgets (account_id, resource, most) values ($1, 'relay_quotas', 2)",
    [account.id],
  );
  const names = new Set<string>();
  const errors: number[] = [];
  for (let phone = 0; phone < 4; phone += 1) {
    const who = await (await newPhone(account))();
    names.add(who.username.split(':')[1] ?? '');
    for (let count = 0; count < 7; count += 1) errors.push((await (await connect(who)).allocate()).error);
  }
  expect(names.size).toBe(2);
  expect([
    errors.filter((error) => error === 0).length,
    errors.filter((error) => error === 486).length,
  ]).toEqual([24, 4]);
});
