import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealDigests } from '../../../src/contexts/extensions/seal-digests.ts';
import { type Database, openDatabase } from '../../../src/platform/db/database.ts';
import { createDigestKeys } from '../../../src/platform/digest-keys.ts';
import { createKeyRing } from '../../../src/platform/keyring.ts';
import { digestKeys, testDigestKeys } from '../../harness/digest-keys.ts';
import {
  domain,
  type EdgeFixture,
  readPresence,
  startEdges,
  type TestEdge,
} from '../../harness/edge/edge.ts';
import { type Credentials, openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import { headerOf, statusOf } from '../../harness/edge/sip-message.ts';

let fixture: EdgeFixture;
let edge: TestEdge;
let db: Database;
const clients: SipClient[] = [];
const [, current = ''] = testDigestKeys.split(':');
const both = { id: 'k2', secret: 'c'.repeat(40) };
const newKeys = createDigestKeys([both, { id: 'k1', secret: current }]);
const keyRing = createKeyRing([{ id: 'k1', secret: randomBytes(32) }]);

beforeAll(async () => {
  fixture = await startEdges();
  edge = await fixture.startEdge({}, { digestKeys: `k2:${both.secret},${testDigestKeys}` });
  const options = { poolSize: 2, applicationName: 'test', statementTimeoutMs: 60_000 };
  db = openDatabase({ url: fixture.database.serviceUrl, ...options }, () => undefined);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await db?.close();
  await fixture?.close();
});

async function phone(server = edge.public): Promise<SipClient> {
  const client = await openSipClient({ server });
  clients.push(client);
  return client;
}

const seal = (keys = digestKeys) =>
  sealDigests({ db, digestKeys: keys, keyRing }, AbortSignal.timeout(60_000));

async function readRow(ramal: string) {
  const [row] = await fixture.database.query<{
    ha1: string | null;
    ha1_sealed: string | null;
    version: number;
  }>('select ha1, ha1_sealed, digest_version as version from extensions where ramal = $1', [ramal]);
  return row;
}

const ha1Of = ({ ramal, senha }: Credentials): string =>
  createHash('md5').update(`${ramal}:${domain}:${senha}`).digest('hex');

test('REST-02 a phone logs in with a sealed HA1, and not with another password', async () => {
  const extension = await fixture.addExtension('3001');
  expect(await readRow('3001')).toMatchObject({ ha1: null });
  expect(statusOf(await (await phone()).register(extension))).toBe(200);
  expect(statusOf(await (await phone()).register({ ...extension, senha: 'another' }))).toBe(403);
});

test('REST-01 a sealed HA1 in the row of another extension is worth nothing', async () => {
  const [own, victim] = [await fixture.addExtension('3002'), await fixture.addExtension('3003')];
  await fixture.database.query(
    `update extensions set ha1_sealed = (select ha1_sealed from extensions where ramal = '3002') where ramal = '3003'`,
  );
  const client = await phone();
  const status = statusOf(await client.register({ ...victim, senha: own.senha }));
  expect([403, 503]).toContain(status);
  expect((await readPresence(fixture.database, victim))?.isRegistered ?? false).toBe(false);
  await fixture.database.query(`delete from extensions where ramal = '3003'`);
});

test('REST-02 an HA1 that is not sealed yet still works, and is sealed without ending the registration', async () => {
  const extension = await fixture.addExtension('3004');
  await fixture.database.query('update extensions set ha1 = $2, ha1_sealed = null where ramal = $1', [
    '3004',
    ha1Of(extension),
  ]);
  const client = await phone();
  expect(statusOf(await client.register(extension))).toBe(200);
  const before = await readRow('3004');
  expect(await seal()).toBeGreaterThan(0);
  const after = await readRow('3004');
  expect([after?.ha1, after?.version]).toEqual([null, before?.version]);
  expect(digestKeys.open({ username: '3004', domain }, after?.ha1_sealed ?? '')).toBe(ha1Of(extension));
  expect(await readPresence(fixture.database, extension)).toMatchObject({ isRegistered: true });
  expect(statusOf(await client.register(extension))).toBe(200);
});

test('REST-02 a new key is used once all edges have it, and ends no registration', async () => {
  const extension = await fixture.addExtension('3005');
  const client = await phone();
  expect(statusOf(await client.register(extension))).toBe(200);
  await seal(newKeys);
  const row = await readRow('3005');
  expect(row?.ha1_sealed).toMatch(/^k2\./);
  expect(newKeys.open({ username: '3005', domain }, row?.ha1_sealed ?? '')).toBe(ha1Of(extension));
  expect(await readPresence(fixture.database, extension)).toMatchObject({ isRegistered: true });
  expect(statusOf(await client.register(extension))).toBe(200);

  const second = await fixture.startEdge({}, { digestKeys: testDigestKeys });
  await expect
    .poll(() => fixture.database.query('select shared_keys from digest_use()'))
    .toEqual([{ shared_keys: ['k1'] }]);
  const refused = await (await phone(second.public)).register(extension);
  expect([statusOf(refused), headerOf(refused, 'Retry-After')]).toEqual([503, '10']);
  expect(second.control('htable.dump', 'pair_failures')).not.toContain('3005');
  await seal(newKeys);
  expect((await readRow('3005'))?.ha1_sealed).toMatch(/^k1\./);
  expect(statusOf(await (await phone(second.public)).register(extension))).toBe(200);
});

test('REST-01 an edge without keys makes HA1s be stored unsealed as well, until it is gone for a day', async () => {
  const extension = await fixture.addExtension('3006');
  const client = await phone();
  expect(statusOf(await client.register(extension))).toBe(200);
  const { query } = fixture.database;
  await query(`select edge.check_in(99, '192.0.2.99:5060')`);
  await seal();
  expect(await readRow('3006')).toMatchObject({ ha1: ha1Of(extension), version: 1 });
  const [found] = await query<{ ha1: string }>(`select ha1 from edge.find_phone($1, '3006', 'udp')`, [
    domain,
  ]);
  expect(found?.ha1).toBe(ha1Of(extension));
  expect(await readPresence(fixture.database, extension)).toMatchObject({ isRegistered: true });
  await query(`update edge.edges set seen_at = now() - interval '25 hours' where id = 99`);
  await seal();
  expect(await readRow('3006')).toMatchObject({ ha1: null, version: 1 });
  expect(statusOf(await client.register(extension))).toBe(200);
});

test('REST-01 a lost key is replaced: HA1s are sealed again from the SIP passwords', async () => {
  const extension = await fixture.addExtension('3007');
  const lost = createDigestKeys([{ id: 'k9', secret: 'd'.repeat(40) }]);
  await fixture.database.query('update extensions set ha1_sealed = $2, senha_sealed = $3 where ramal = $1', [
    '3007',
    lost.seal('k9', { username: '3007', domain }, ha1Of(extension)),
    keyRing.seal('extension-password', extension.senha),
  ]);
  expect(statusOf(await (await phone()).register(extension))).toBe(503);
  await seal();
  expect(statusOf(await (await phone()).register(extension))).toBe(200);
});
