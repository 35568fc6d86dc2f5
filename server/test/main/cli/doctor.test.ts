import { chmodSync, mkdtempSync, rmdirSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startObjectStore } from '../../../../simulator/object-store/index.ts';
import { startRedis } from '../../../../tools/dev/services/redis.ts';
import { sqlFolders } from '../../../src/main/migrate.ts';
import { readDefinitionFiles } from '../../../src/platform/db/definition-files.ts';
import { makeCertificate, startReceiver, startTlsReceiver } from '../../adapters/webhooks/servers.ts';
import type { Client } from '../../harness/client.ts';
import { addDelivery } from '../../harness/deliveries.ts';
import { insertCalls } from '../../harness/fixtures/call-rows.ts';
import { type DoctorFixture, type Finding, startDoctorFixture } from '../../harness/fixtures/doctor.ts';
import { databaseUrl } from '../../harness/template.ts';
import { until } from '../../harness/until.ts';
import { runDisca } from '../../scenarios/backup/disca.ts';
import { onFullDisk } from '../../scenarios/backup/faults.ts';

let fixture: DoctorFixture;
beforeAll(async () => {
  fixture = await startDoctorFixture();
});
afterAll(() => fixture?.close());

const like = (state: string, says: RegExp, advice?: RegExp): unknown[] => [
  state,
  expect.stringMatching(says),
  advice ? expect.stringMatching(advice) : expect.any(String),
];
const query = (text: string, values: unknown[] = []) => fixture.platform.database.query(text, values);
const unreachable = '127.0.0.1:1';

test('reports unreadable settings, and still checks the other services', async () => {
  expect(await fixture.ask('configuration')).toEqual([like('ok', /every setting/)]);
  const broken = { HTTP_PORT: 'eighty', MAIL_FROM: '' };
  expect(await fixture.ask('configuration', broken)).toEqual([
    like(
      'fault',
      /MAIL_FROM is not set\n.*HTTP_PORT|HTTP_PORT[^\n]*\n.*MAIL_FROM is not set/s,
      /Fix the settings/,
    ),
  ]);
  expect(await fixture.ask('redis', broken)).toEqual([like('ok', /responded/)]);
  expect(await fixture.ask('configuration', { DATABASE_OWNER_URL: '' })).toEqual([
    like('fault', /DATABASE_OWNER_URL is not set/),
  ]);
});

test('reports a database that is down, may lose data or is used with the wrong role', async () => {
  const databaseDown = {
    DATABASE_URL: `postgres://disca_app@${unreachable}/disca`,
    DATABASE_OWNER_URL: `postgres://me@${unreachable}/disca`,
  };
  expect(await fixture.ask('postgresql', databaseDown)).toEqual([
    like('fault', /ECONNREFUSED|Unavailable|cannot/, /Start PostgreSQL/),
  ]);
  // The test PostgreSQL is configured for speed, not for durability.
  expect(await fixture.ask('postgresql')).toEqual([
    like('fault', /fsync = off.*synchronous_commit = off/, /restart it/),
  ]);

  expect(await fixture.ask('database role')).toEqual([like('ok', /member of disca_service only/)]);
  const { ownerUrl } = fixture.platform.database;
  expect(await fixture.ask('database role', { DATABASE_URL: ownerUrl })).toEqual([
    like('fault', /bypasses row-level security/),
  ]);
  await query(
    `do $$ begin create role disca_outsider login; exception when duplicate_object then null; end $$`,
  );
  const outsiderUrl = databaseUrl(ownerUrl, new URL(ownerUrl).pathname.slice(1), 'disca_outsider');
  expect(await fixture.ask('database role', { DATABASE_URL: outsiderUrl })).toEqual([
    like('fault', /disca_outsider is not a member of disca_service/, /grant disca_service/),
  ]);
  expect(await fixture.ask('operator role')).toEqual([like('ok', /member of disca_operator only/)]);
  for (const [url, problem] of [
    ['', /DATABASE_OPERATOR_URL is not set/],
    [ownerUrl, /bypasses row-level security/],
    [outsiderUrl, /disca_outsider is not a member of disca_operator/],
  ] as const)
    expect(await fixture.ask('operator role', { DATABASE_OPERATOR_URL: url })).toEqual([
      like('fault', problem, /run disca migrate/),
    ]);
  for (const part of [
    'operators',
    'migrations',
    'sort order',
    'replication',
    'edges',
    'keys',
    'media nodes',
    'carriers',
    'call audio',
    'worker',
    'webhooks',
    'clock',
    'ledger',
    'log archive',
  ])
    expect(await fixture.ask(part, databaseDown)).toEqual([like('fault', /./, /DATABASE_OWNER_URL/)]);
});

test('REST-01 reports that HA1s are stored unencrypted', async () => {
  const edge = `select edge.join_edges(901, '192.0.2.201:5060', $1)`;
  await query(edge, ['k1']);
  expect(await fixture.ask('keys')).toEqual([like('ok', /all edges can open/)]);
  expect(await fixture.ask('keys', { DIGEST_KEYS: '' })).toEqual([
    like('warning', /DIGEST_KEYS is not set/, /disca keys new/),
  ]);
  for (const keys of ['-', 'k7']) {
    await query(edge, [keys]);
    expect(await fixture.ask('keys')).toEqual([
      like('warning', /edge 901 has none of the keys/, /DIGEST_KEYS/),
    ]);
  }
  await query('delete from edge.edges where id = 901');
});

test('OPER-16 reports that no owner, or only one, can log in', async () => {
  expect(await fixture.ask('operators')).toEqual([like('ok', /commands need no login/)]);
  await query(
    `insert into operators (name, email, role, password_hash, created_at)
     values ('ana', 'ana@disca.test', 'owner', null, now()), ('bruno', 'bruno@disca.test', 'owner', null, now()),
            ('clara', 'clara@disca.test', 'finance', 'x', now())`,
  );
  const none = /no owner can log in/;
  expect(await fixture.ask('operators')).toEqual([
    like('fault', none, /^ana or bruno runs disca operator set-up .*operators\.md/),
  ]);
  const setUp = (name: string) => query(`update operators set password_hash = 'x' where name = $1`, [name]);
  await setUp('ana');
  expect(await fixture.ask('operators')).toEqual([
    like('warning', /ana is the only owner who can log in/, /^bruno runs disca operator set-up/),
  ]);
  await setUp('bruno');
  expect(await fixture.ask('operators')).toEqual([like('ok', /^2 owners can log in/)]);
  const disable = (name: string) =>
    query('update operators set disabled_at = now(), password_hash = null where name = $1', [name]);
  await disable('bruno');
  expect(await fixture.ask('operators')).toEqual([
    like('warning', /ana is the only owner/, /^To enable another owner, see .*operators\.md/),
  ]);
  await disable('ana');
  expect(await fixture.ask('operators')).toEqual([like('fault', none, /^To enable another owner/)]);
  await query('delete from operators');
});

test('ERR-19 reports another version of a sort order, and names the indexes to rebuild', async () => {
  expect(await fixture.ask('sort order')).toEqual([like('ok', /as it was when the indexes were built/)]);
  await query(`create collation doctor_sort (provider = icu, locale = 'de')`);
  await query('create table doctor_words (word text collate doctor_sort primary key, other text unique)');
  expect(await fixture.ask('sort order')).toEqual([like('ok', /as it was/)]);

  const [before] = (await query(
    'select datcollversion as version from pg_database where datname = current_database()',
  )) as { version: string | null }[];
  const setVersion = (version: string | null | undefined) =>
    query('update pg_database set datcollversion = $1 where datname = current_database()', [version]);
  await setVersion('0.1');
  const [ofDatabase, ...others] = await fixture.ask('sort order');
  expect(others).toEqual([]);
  expect(ofDatabase).toEqual(
    like(
      'fault',
      /sort order of the database changed from version 0\.1 to .*public\.doctor_words_other_key/,
      /REINDEX INDEX CONCURRENTLY, then run ALTER DATABASE ".+" REFRESH COLLATION VERSION/,
    ),
  );
  // They are sorted by other collations, or have no text.
  for (const index of [
    'doctor_words_pkey',
    'contacts_by_name',
    'contacts_pkey',
    'pg_class_relname_nsp_index',
  ])
    expect(ofDatabase?.[1]).not.toContain(index);
  await setVersion(before?.version);

  await query(`update pg_collation set collversion = '0.2' where collname = 'doctor_sort'`);
  expect(await fixture.ask('sort order')).toEqual([
    like(
      'fault',
      /collation doctor_sort changed from version 0\.2 to \S+, .* indexes: public\.doctor_words_pkey$/,
      /ALTER COLLATION "doctor_sort" REFRESH VERSION/,
    ),
  ]);
  await query('alter collation doctor_sort refresh version');
  expect(await fixture.ask('sort order')).toEqual([like('ok', /as it was/)]);
  await query('drop table doctor_words');
  await query('drop collation doctor_sort');
});

test('reports that PostgreSQL runs on one machine', async () => {
  expect(await fixture.ask('replication')).toEqual([like('ok', /runs on one machine/)]);
  expect(await fixture.ask('database disks')).toEqual([like('ok', /DATABASE_MACHINES is not set/)]);
});

test('reports migrations that are missing, changed or from a newer release', async () => {
  expect(await fixture.ask('migrations')).toEqual([like('ok', /all \d+ are applied/)]);
  const [last] = await query(
    'delete from migrations where name = (select max(name) from migrations) returning *',
  );
  const { name, checksum } = last as { name: string; checksum: string };
  expect(await fixture.ask('migrations')).toEqual([
    like('fault', new RegExp(`1 not applied, starting with ${name}`), /disca migrate/),
  ]);
  await query('insert into migrations (name, checksum) values ($1, $2)', [name, 'another']);
  expect(await fixture.ask('migrations')).toEqual([like('fault', new RegExp(`${name} changed`))]);
  await query('update migrations set checksum = $2 where name = $1', [name, checksum]);
  await query(`insert into migrations (name, checksum) values ('9999_later.sql', '')`);
  expect(await fixture.ask('migrations')).toEqual([
    like('warning', /newer than this release: it has 9999_later/, /Upgrade/),
  ]);
  await query(`delete from migrations where name = '9999_later.sql'`);
});

test('reports SQL definitions that are missing, changed by hand or from a newer release', async () => {
  await query(`update sql_definitions set checksum = 'another' where name = 'calls/move_calls'`);
  expect(await fixture.ask('migrations')).toEqual([
    like('fault', /1 SQL definition not installed: calls\/move_calls/, /disca migrate/),
  ]);
  await query('update sql_revision set revision = revision + 1');
  expect(await fixture.ask('migrations')).toEqual([like('warning', /from a newer release/, /Upgrade/)]);
  await query('update sql_revision set revision = revision - 1');
  await query('alter function uuid_floor volatile');
  const { checksum } = (await readDefinitionFiles(sqlFolders.definitions)).find(
    ({ name }) => name === 'calls/move_calls',
  ) as { checksum: string };
  await query(`update sql_definitions set checksum = $1 where name = 'calls/move_calls'`, [checksum]);
  expect(await fixture.ask('migrations')).toEqual([
    like(
      'warning',
      /changed in the database since the last migration: function public\.uuid_floor/,
      /disca migrate/,
    ),
  ]);
  await query('alter function uuid_floor immutable');
  expect(await fixture.ask('migrations')).toEqual([like('ok', /all \d+ are applied/)]);
});

test('reports Redis, SMTP and storage that are down or reject credentials', async () => {
  expect(await fixture.ask('redis')).toEqual([like('ok', /responded in/)]);
  await fixture.redis.stop('kill');
  expect(await fixture.ask('redis')).toEqual([like('fault', /ECONNREFUSED/, /Start Redis/)]);

  expect(await fixture.ask('mail')).toEqual([like('ok', /accepts our login/)]);
  expect(await fixture.ask('mail', { SMTP_TLS: '' })).toEqual([
    like('fault', /does not offer STARTTLS/, /SMTP_URL/),
  ]);
  await fixture.mail.stop();
  expect(await fixture.ask('mail')).toEqual([like('fault', /ECONNREFUSED/, /SMTP_URL/)]);

  expect(await fixture.ask('recordings')).toEqual([like('ok', /stored, read back and removed/)]);
  const file = join(fixture.folder, 'a-file');
  writeFileSync(file, '');
  expect(await fixture.ask('recordings', { STORAGE_URL: `file://${file}` })).toEqual([
    like('fault', /ENOTDIR|EEXIST/, /STORAGE_URL/),
  ]);
  const store = await startObjectStore({ bucket: 'calls', accessKeyId: 'me', secretAccessKey: 'right' });
  const bucket = { STORAGE_URL: `s3://calls?endpoint=${store.endpoint}`, S3_ACCESS_KEY_ID: 'me' };
  expect(await fixture.ask('recordings', { ...bucket, S3_SECRET_ACCESS_KEY: 'right' })).toEqual([
    like('ok', /stored/),
  ]);
  expect(await fixture.ask('recordings', { ...bucket, S3_SECRET_ACCESS_KEY: 'wrong' })).toEqual([
    like('fault', /HTTP 403/, /bucket/),
  ]);
  await store.stop();

  const disk = join(fixture.folder, 'full');
  await onFullDisk(disk, async () => {
    writeFileSync(join(disk, 'filler'), Buffer.alloc(16_000));
    const said = await fixture.ask('disk space', { STORAGE_URL: `file://${disk}` });
    expect(said[0]).toEqual(like('fault', /0 %/, /Free space/));
  });
});

test('reports a Redis that other machines can use without a password', async () => {
  const { address } = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find((each) => each.family === 'IPv4' && !each.internal) ?? { address: '' };
  expect(address, 'an address of this machine other than loopback').not.toBe('');
  const open = await startRedis({ dir: join(fixture.folder, 'open-redis'), address });
  onTestFinished(() => open.stop('kill'));
  const warned = [like('warning', /without a password and not on a loopback address/, /requirepass/)];
  expect(await fixture.ask('redis', { REDIS_URL: open.url })).toEqual(warned);
  // A password that the server does not ask for protects nothing.
  const pointless = open.url.replace('//', '//:pointless@');
  expect(await fixture.ask('redis', { REDIS_URL: pointless })).toEqual(warned);

  const password = 'the-password-of-the-doctor';
  const closed = await startRedis({ dir: join(fixture.folder, 'closed-redis'), address, password });
  onTestFinished(() => closed.stop('kill'));
  expect(await fixture.ask('redis', { REDIS_URL: closed.url })).toEqual([
    ['ok', expect.stringMatching(/^responded in \d+ ms$/), ''],
  ]);
  const withoutPassword = closed.url.replace(`:${password}@`, '');
  expect(await fixture.ask('redis', { REDIS_URL: withoutPassword })).toEqual([
    like('fault', /NOAUTH/, /REDIS_URL/),
  ]);
});

test('reports a payment gateway, a public address and certificates that do not work', async () => {
  expect(await fixture.ask('payments')).toEqual([like('ok', /accepts our key/)]);
  expect(await fixture.ask('payments', { ASAAS_API_KEY: 'wrong' })).toEqual([
    like('fault', /401/, /ASAAS_API_KEY/),
  ]);
  expect(await fixture.ask('payments', { ASAAS_URL: `http://${unreachable}` })).toEqual([
    like('fault', /did not respond/),
  ]);
  expect(await fixture.ask('payments', { ASAAS_WEBHOOK_TOKEN: '' })).toEqual([
    like('fault', /must be set together/),
  ]);
  expect(await fixture.ask('payments', { ASAAS_WEBHOOK_TOKEN: '', ASAAS_API_KEY: '' })).toEqual([
    like('warning', /no payment gateway/),
  ]);

  expect(await fixture.ask('public address')).toEqual([like('ok', /reaches our API/)]);
  expect(await fixture.ask('public address', { PUBLIC_URL: `http://${unreachable}` })).toEqual([
    like('fault', /ECONNREFUSED|bad port/, /PUBLIC_URL/),
  ]);
  const other = await startReceiver((_request, response) => response.end('Welcome to nginx'));
  expect(await fixture.ask('public address', { PUBLIC_URL: `http://127.0.0.1:${other.port}` })).toEqual([
    like('fault', /returns 200 and is not our API/),
  ]);
  await other.close();

  expect(await fixture.ask('certificates')).toEqual([like('ok', /valid until/)]);
  const judged = async (days: number, isKnown: boolean, laterDays = 0): Promise<Finding | undefined> => {
    const certificate = await makeCertificate('IP:127.0.0.1', days);
    const server = await startTlsReceiver(certificate, (_request, response) => response.end());
    const [said] = await fixture.ask(
      'certificates',
      { EDGE_WEBSOCKET_URLS: `wss://127.0.0.1:${server.port}/sip` },
      { now: () => Date.now() + laterDays * 24 * 3600 * 1000, ...(isKnown ? { ca: certificate.cert } : {}) },
    );
    await server.close();
    return said;
  };
  expect(await judged(60, true)).toEqual(like('ok', /valid until/));
  expect(await judged(10, true)).toEqual(like('warning', /expires in 9 days/, /Renew/));
  expect(await judged(2, true)).toEqual(like('fault', /expires in 1 days/, /Renew/));
  expect(await judged(2, true, 3)).toEqual(like('fault', /expired on/, /Renew/));
  expect(await judged(60, false)).toEqual(like('fault', /not trusted: DEPTH_ZERO_SELF_SIGNED_CERT/));
  expect(await fixture.ask('certificates', { EDGE_WEBSOCKET_URLS: `wss://${unreachable}` })).toEqual([
    like('fault', /is unreachable/),
  ]);
  const { cert } = await makeCertificate('DNS:voice', 10);
  expect((await fixture.ask('certificates', { VOICE_CERTIFICATE: cert })).at(-1)).toEqual(
    like('warning', /certificate of voice expires in 9 days/, /Renew/),
  );
});

test('reports clock skew, overdue jobs, failing webhooks and ledger differences', async () => {
  expect(await fixture.ask('clock')).toEqual([like('ok', /differ by -?\d+ ms/)]);
  expect(await fixture.ask('clock', {}, { now: () => Date.now() + 90_000 })).toEqual([
    like('fault', /differ by -(8[5-9]|9[0-5])\d{3} ms/, /NTP/),
  ]);

  await fixture.platform.addAccount(1);
  // No worker of this test takes deliveries.
  const wait = (interval: string) =>
    query(`update delivery_queue set due_at = now() - $1::interval`, [interval]);
  await query(
    `insert into delivery_queue (delivery_id, integration_id, is_retry, due_at)
     values (gen_random_uuid(), 1, false, now() + interval '1 hour')`,
  );
  expect(await fixture.ask('worker')).toEqual([like('ok', /jobs are due/)]);
  await wait('3 minutes');
  expect(await fixture.ask('worker')).toEqual([like('warning', /has waited 1[78]\d s/, /worker process/)]);
  await wait('1 hour');
  expect(await fixture.ask('worker')).toEqual([like('fault', /has waited 36\d\d s/, /worker process/)]);
  await query('delete from delivery_queue');

  expect(await fixture.ask('webhooks')).toEqual([like('ok', /no failing endpoints/)]);
  const account = await fixture.platform.addAccount(1);
  for (let endpoint = 0; endpoint < 3; endpoint += 1) await addFailures(account.admin.client);
  expect(await fixture.ask('webhooks')).toEqual([
    like('fault', /24 of 24 attempts .* at 3 endpoints/, /DNS/),
  ]);
  await query(`update delivery_attempts set outcome = 'bad_status'`);
  expect(await fixture.ask('webhooks')).toEqual([
    like('warning', /3 endpoints are failing/, /Nothing is lost/),
  ]);

  expect(await fixture.ask('ledger')).toEqual([like('warning', /never audited/, /disca ledger audit/)]);
  const audited = (differences: number, at: string) =>
    query('insert into ledger_audits (at, differences) values (now() - $1::interval, $2)', [at, differences]);
  await audited(0, '3 days');
  expect(await fixture.ask('ledger')).toEqual([like('warning', /72 hours ago/)]);
  await audited(2, '1 minute');
  expect(await fixture.ask('ledger')).toEqual([like('fault', /2 differences/)]);
  await audited(0, '1 second');
  expect(await fixture.ask('ledger')).toEqual([like('ok', /clean/)]);
});

test('AUDIO-14 reports calls without audio from a party, with the usual causes', async () => {
  const account = await fixture.platform.addAccount(1);
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const ids = await insertCalls(fixture.platform.database, account, [
    ...Array.from({ length: 60 }, () => ({ startedAt: hoursAgo(1) })),
    { startedAt: hoursAgo(30) },
    { startedAt: hoursAgo(2), duration: 0 },
  ]);
  expect(await fixture.ask('call audio')).toEqual([like('ok', /both directions of all 60 answered calls/)]);
  const lose = (id: string | undefined, from: string, reason: string) =>
    query(`update calls set node = 'm1', timeline = timeline || $2 where id = $1`, [
      id,
      JSON.stringify([{ at: new Date(), what: 'audio_missing', from, reason }]),
    ]);
  // More than a day ago.
  await lose(ids[60], 'extension', 'no_packets');
  expect(await fixture.ask('call audio')).toEqual([like('ok', /all 60/)]);
  for (const id of ids.slice(0, 6)) await lose(id, 'destination', 'no_packets');
  await lose(ids[0], 'extension', 'no_packets');
  await lose(ids[7], 'extension', 'undecodable');
  for (const id of ids.slice(8, 10)) await lose(id, 'extension', 'other_address');
  expect(await fixture.ask('call audio')).toEqual([
    like('fault', /in 6 of 60 .* no audio arrived from the destination, at m1/, /NAT .* firewall .*carrier/),
    like('warning', /in 2 of 60 .* extension came from another address/, /mediaFromAnyAddress.*attack/),
    like('warning', /in 1 of 60 .* no audio arrived from the extension/, /NAT .* firewall .*TURN_URLS/),
    like('warning', /in 1 of 60 .* audio of the extension was not decodable/, /codec.*PCMA/),
  ]);
});

async function addFailures(client: Client): Promise<void> {
  const { integrationId, deliveryId } = await addDelivery(query, client);
  await query('update integrations set failing_since = now() where id = $1', [integrationId]);
  await query(
    `insert into delivery_attempts (delivery_id, number, account_id, at, duration_ms, outcome)
     select id, number, account_id, now(), 5, 'dns_failed' from deliveries, generate_series(1, 8) number where id = $1`,
    [deliveryId],
  );
}

test('reports a machine without pgBackRest and an empty repository, and WAL that is not archived', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'disca-repository-'));
  // pgBackRest runs as the user of PostgreSQL.
  chmodSync(folder, 0o755);
  const repository = { PGBACKREST_REPO1_PATH: folder, PATH: process.env.PATH ?? '' };
  expect(await fixture.ask('backup', repository)).toEqual([like('warning', /no such stanza/, /provider/)]);
  expect(await fixture.ask('backup', { ...repository, PATH: folder })).toEqual([
    like('warning', /pgBackRest is not installed/),
  ]);
  rmdirSync(folder);
  expect(await fixture.ask('log archive')).toEqual([like('warning', /does not archive/, /archive_command/)]);
});

test('reports edges, media nodes and carriers that are down, with the command’s exit status', async () => {
  const { engines } = fixture.platform;
  expect(await fixture.ask('edges')).toEqual([like('ok', /1 seen/)]);
  expect(await fixture.ask('media nodes')).toEqual([like('ok', /1 connected/)]);
  expect(await fixture.ask('carriers')).toEqual([like('ok', /responds to SIP \(\d{3}\)/)]);
  await query(`update trunks set transport = 'tcp'`);
  expect(await fixture.ask('carriers')).toEqual([like('ok', /accepts connections \(tcp\)/)]);
  await query('update media_nodes set clock_skew_ms = 5000');
  await Promise.all([
    engines.edge.stop('kill'),
    engines.node.engine.stop('kill'),
    engines.simulator.stop('kill'),
  ]);
  expect(await fixture.ask('carriers')).toEqual([
    like('warning', /does not respond/, /disca trunk test simulator/),
  ]);
  await query(`update trunks set transport = 'udp'`);
  expect(await fixture.ask('carriers')).toEqual([
    like('warning', /does not respond/, /disca trunk test simulator/),
  ]);
  await until(
    async () => (await fixture.ask('media nodes')).some(([state]) => state === 'fault'),
    'the node is reported missing',
  );
  expect((await fixture.ask('media nodes')).at(-1)).toEqual(
    like('fault', /m1 is unavailable: calls/, /Asterisk/),
  );
  await query(`update media_nodes set clock_skew_ms = 5000`);
  expect(await fixture.ask('media nodes')).toContainEqual(
    like('warning', /clock of m1 is off by 5000 ms/, /NTP/),
  );
  await until(
    async () => (await fixture.ask('edges')).some(([state]) => state === 'fault'),
    'the edge is reported missing',
  );
  expect(await fixture.ask('edges')).toEqual([like('fault', /edge 1 at .* was last seen/, /Start Kamailio/)]);
  await query('update trunks set enabled = false');
  expect(await fixture.ask('carriers')).toEqual([like('fault', /no trunk is enabled/, /disca trunk add/)]);
  await query('delete from media_nodes');
  expect(await fixture.ask('media nodes')).toEqual([like('fault', /no media nodes/, /disca node add/)]);

  const [said, asJson] = await Promise.all([
    runDisca(fixture.environment, ['doctor']),
    runDisca(fixture.environment, ['doctor', 'carriers', '--json']),
  ]);
  expect(said).toMatchObject({
    code: 1,
    out: expect.stringMatching(/FAULT {4}edges .*\n +→ Start Kamailio/),
  });
  expect(said.out).toMatch(/\d+ faults, \d+ warnings\.\n$/);
  expect(JSON.parse(asJson.out)).toMatchObject([{ part: 'carriers', state: 'fault' }]);
  await expect(fixture.ask('teapot')).rejects.toThrow('Unknown check');
});
