import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealDigests } from '../../../src/contexts/extensions/seal-digests.ts';
import { openRecording } from '../../../src/contexts/recordings/open-recording.ts';
import { countOutdated, readKeyStatus } from '../../../src/main/key-status.ts';
import { resealAll } from '../../../src/main/reseal.ts';
import { createKeyRing, type KeyRing } from '../../../src/platform/keyring.ts';
import { addTotp } from '../../harness/factors.ts';
import { extensionBody } from '../../harness/fixtures/extensions.ts';
import { integrationBody } from '../../harness/fixtures/integrations.ts';
import { addStoredRecording, recordingPath, wav } from '../../harness/fixtures/recordings.ts';
import { addNamedOperator, openOperator, type TestOperator } from '../../harness/operator.ts';
import { runOperator } from '../../harness/operator-cli.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let operator: TestOperator;
let account: TestAccount;
const extensions: { id: number; senha: string }[] = [];
let totpSecret: string;
let operatorSecret: string;
const clientSecret = 'client-secret';
const why = ['--reason', 'Every year'];
let integration: { id: number; secrets: unknown };
let recording: { callId: string; audio: Buffer };

const old = { id: 'k1', secret: Buffer.alloc(32, 1) };
const ring = createKeyRing([{ id: 'k2', secret: Buffer.alloc(32, 2) }, old]);
const onlyNew = createKeyRing([{ id: 'k2', secret: Buffer.alloc(32, 2) }]);

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  operator = openOperator(platform);
  account = await createAccount(platform);
  const { client } = account.admin;
  for (let number = 0; number < 5; number += 1)
    extensions.push((await client.post('/extensions', extensionBody())).body);
  const { id } = (await client.patch('/integrations', integrationBody())).body;
  await client.post(`/integrations/${id}/secret/rotate`);
  integration = { id, secrets: await readSecrets(platform.api.base.keyRing) };
  totpSecret = (await addTotp(platform, await account.addUser())).secret;
  await client.request('PUT', '/accounts/sso', {
    body: {
      issuer: 'https://login.example.com',
      clientId: 'disca',
      clientSecret,
      domains: [],
      isRequired: false,
      exemptAdmin: null,
    },
  });
  const named = await addNamedOperator(operator, { name: 'olga', role: 'owner' });
  operatorSecret = named.secret;
  process.env.DISCA_OPERATOR_TOKEN = named.token;
  const sealed = platform.api.base.keyRing.seal('trunk-password', 'carrier-password');
  await platform.database.query(
    `insert into trunks (name, mode, address, default_caller_id, created_at, outbound_user, outbound_password_sealed,
       inbound_user, inbound_password_sealed)
     values ('carrier', 'live', '192.0.2.1:5060', '551130000000', now(), 'disca', $1, 'carrier', $1)`,
    [sealed],
  );
  const audio = wav(2);
  recording = { callId: await addStoredRecording(platform, account.id, audio), audio };
});
afterAll(async () => {
  delete process.env.DISCA_OPERATOR_TOKEN;
  await operator?.close();
  await platform?.close();
});

async function readSecrets(keyRing: KeyRing): Promise<string[]> {
  const rows = await platform.database.query<{ one: string; two: string }>(
    'select secret_sealed as one, previous_secret_sealed as two from integrations where account_id = $1',
    [account.id],
  );
  return rows.flatMap(({ one, two }) => [one, two].map((sealed) => keyRing.open('webhook-secret', sealed)));
}

const statusWith = (keyRing: KeyRing) =>
  readKeyStatus(operator.db, { keyRing: keyRing.ids, digestKeys: platform.api.base.digestKeys.ids });

const reseal = (keyRing: KeyRing, data: unknown = { key: 'k2' }, signal = AbortSignal.timeout(60_000)) =>
  resealAll({ db: platform.api.base.db, keyRing }, data, signal);

test('REST-05 status counts the secrets of each key', async () => {
  const status = await statusWith(ring);
  expect(status.seals).toEqual([
    { name: 'SIP passwords', keys: [{ key: 'k1', count: 5 }] },
    { name: 'webhook secrets', keys: [{ key: 'k1', count: 2 }] },
    { name: 'TOTP secrets', keys: [{ key: 'k1', count: 1 }] },
    { name: 'single sign-on secrets', keys: [{ key: 'k1', count: 1 }] },
    { name: 'passwords of trunks', keys: [{ key: 'k1', count: 2 }] },
    { name: 'keys of recordings', keys: [{ key: 'k1', count: 1 }] },
    { name: 'TOTP of operators', keys: [{ key: 'k1', count: 1 }] },
  ]);
  expect([countOutdated(status), status.unusedKeys, status.missingKeys]).toEqual([13, [], []]);
  expect(status.digests).toMatchObject({ sealed: [{ key: 'k1', count: 5 }], unencrypted: 0 });
  expect((await statusWith(onlyNew)).missingKeys).toEqual(['k1']);
});

test('REST-05 the CLI shows the status, queues a rotation once, and prints new keys', async () => {
  const shown = await runOperator(platform, ['keys', 'status']);
  expect([shown.code, shown.err]).toEqual([0, '']);
  expect(shown.out).toMatch(/SIP passwords +5 with k1/);
  expect(shown.out).toMatch(/HA1s +5 with k1, 0 unencrypted/);
  await runOperator(platform, ['keys', 'rotate', ...why]);
  await runOperator(platform, ['keys', 'rotate', ...why]);
  expect(await platform.database.query(`select data from pgboss.job where name = 'platform.reseal'`)).toEqual(
    [{ data: { key: 'k1' } }],
  );
  const [key, digest] = [
    await runOperator(platform, ['keys', 'new', 'k2']),
    await runOperator(platform, ['keys', 'new', 'k2', '--digest']),
  ];
  expect(Buffer.from(key.out.trim().slice(3), 'base64')).toHaveLength(32);
  expect(digest.out).toMatch(/^k2:[0-9a-f]{64}\n$/);
});

test('REST-05 a worker without the new key refuses to rotate, and changes nothing', async () => {
  await expect(reseal(platform.api.base.keyRing)).rejects.toThrow('Restart it with the new KEY_RING');
  expect(countOutdated(await statusWith(ring))).toBe(13);
});

test('REST-05 an interrupted rotation continues, and everything opens with the new key alone', async () => {
  const stopped = new AbortController();
  stopped.abort();
  await reseal(ring, { key: 'k2' }, stopped.signal);
  expect(countOutdated(await statusWith(ring))).toBe(13);
  // One that cannot be opened does not stop the others.
  const { query } = platform.database;
  const [first] = extensions;
  const [kept] = await query<{ sealed: string }>(
    'select senha_sealed as sealed from extensions where id = $1',
    [first?.id],
  );
  await query(`update extensions set senha_sealed = 'k0.x.x.x' where id = $1`, [first?.id]);
  await expect(reseal(ring)).rejects.toThrow('could not be sealed again');
  const halfway = await statusWith(ring);
  expect([countOutdated(halfway), halfway.missingKeys]).toEqual([1, ['k0']]);
  await query('update extensions set senha_sealed = $2 where id = $1', [first?.id, kept?.sealed]);
  expect(await reseal(ring)).toBe(1);

  const status = await statusWith(ring);
  expect([countOutdated(status), status.unusedKeys]).toEqual([0, ['k1']]);
  expect(await readSecrets(onlyNew)).toEqual(integration.secrets);
  for (const { id, senha } of extensions) {
    const [row] = await query<{ sealed: string }>(
      'select senha_sealed as sealed from extensions where id = $1',
      [id],
    );
    expect(onlyNew.open('extension-password', row?.sealed ?? '')).toBe(senha);
  }
  const [trunk] = await query<{ sealed: string }>('select outbound_password_sealed as sealed from trunks');
  expect(onlyNew.open('trunk-password', trunk?.sealed ?? '')).toBe('carrier-password');
  const [app] = await query<{ sealed: string }>('select secret_sealed as sealed from second_factors');
  expect(onlyNew.open('totp', app?.sealed ?? '')).toBe(totpSecret);
  const [sso] = await query<{ sealed: string }>('select secret_sealed as sealed from single_sign_on');
  expect(onlyNew.open('sso-client-secret', sso?.sealed ?? '')).toBe(clientSecret);
  const [named] = await query<{ sealed: string }>('select totp_sealed as sealed from operators');
  expect(onlyNew.open('operator-totp', named?.sealed ?? '')).toBe(operatorSecret);
  expect((await listenWith(onlyNew)).equals(recording.audio)).toBe(true);
  expect(await reseal(ring)).toBe(0);
  expect(await keysOfColumns()).toEqual(Object.fromEntries(rotatedColumns.map((name) => [name, ['k2']])));
});

/** Columns of secrets that are sealed with the key ring and kept for longer than a day. */
const rotatedColumns = [
  'extensions.senha_sealed',
  'integrations.previous_secret_sealed',
  'integrations.secret_sealed',
  'operators.totp_sealed',
  'recording_keys.key_sealed',
  'second_factors.secret_sealed',
  'single_sign_on.secret_sealed',
  'trunks.inbound_password_sealed',
  'trunks.outbound_password_sealed',
];
/** Sealed with DIGEST_KEYS, or for ten minutes. */
const otherColumns = ['extensions.ha1_sealed', 'phone_sessions.ha1_sealed', 'caller_ids.code_sealed'];

/** Returns the ids of the keys in each column of the database whose name says that it is sealed. */
async function keysOfColumns(): Promise<Record<string, string[]>> {
  const { query } = platform.database;
  const columns = await query<{ table: string; column: string }>(
    `select c.oid::regclass::text as table, a.attname as column
       from pg_attribute a join pg_class c on c.oid = a.attrelid
      where a.attname like '%sealed%' and c.relkind in ('r', 'p') and not c.relispartition
        and c.relnamespace in ('public'::regnamespace, 'edge'::regnamespace)`,
  );
  const found: Record<string, string[]> = {};
  for (const { table, column } of columns) {
    if (otherColumns.includes(`${table}.${column}`)) continue;
    const rows = await query<{ key: string }>(
      `select distinct split_part(${column}, '.', 1) as key from ${table} where ${column} is not null`,
    );
    found[`${table}.${column}`] = rows.map(({ key }) => key);
  }
  return found;
}

/** Reads the recording with this key ring; its link is signed with the former one. */
async function listenWith(keyRing: KeyRing): Promise<Buffer> {
  const { app } = platform.api;
  const link = new URL(recordingPath(platform, recording.callId), 'http://api.disca.test');
  const opened = await openRecording(
    { ...app, keyRing: { ...keyRing, verify: app.keyRing.verify } },
    {
      callId: recording.callId,
      signature: link.searchParams.get('signature') ?? '',
      method: 'GET',
      range: undefined,
      ifRange: undefined,
      address: '192.0.2.1',
    },
  );
  if (!opened.body) throw new Error('There is no audio.');
  return await buffer(opened.body);
}

test('REST-01 disca keys unseal stores HA1s also unencrypted for a day', async () => {
  const { code, out } = await runOperator(platform, ['keys', 'unseal', ...why]);
  expect([code, out]).toEqual([0, expect.stringContaining('also stored unencrypted until')]);
  const { id } = (await account.admin.client.post('/extensions', extensionBody())).body;
  const [row] = await platform.database.query<{ ha1: string | null; sealed: string | null }>(
    'select ha1, ha1_sealed as sealed from extensions where id = $1',
    [id],
  );
  expect([row?.ha1, row?.sealed]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.any(String)]);
});

test('REST-01 disca keys unseal --wait ends once all HA1s are stored unencrypted as well', async () => {
  const countEncrypted = async (): Promise<number> =>
    (await platform.database.query('select from extensions where ha1 is null')).length;
  expect(await countEncrypted()).toBe(5);
  let hasEnded = false;
  const unseal = runOperator(platform, ['keys', 'unseal', '--wait', '--json', ...why]).finally(() => {
    hasEnded = true;
  });
  await sleep(3_000);
  expect([hasEnded, await countEncrypted()]).toEqual([false, 5]);
  const { db, keyRing, digestKeys } = platform.api.base;
  await sealDigests({ db, keyRing, digestKeys }, AbortSignal.timeout(60_000));
  const { code, out } = await unseal;
  expect([code, JSON.parse(out).onlyEncrypted, await countEncrypted()]).toEqual([0, 0, 0]);
});
