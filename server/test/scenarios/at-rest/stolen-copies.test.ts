import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDev } from '../../../../tools/dev/paths.ts';
import { postgresProgram } from '../../../../tools/dev/services/postgres-programs.ts';
import type { Client } from '../../harness/client.ts';
import { addTotp, totpCodeAfter } from '../../harness/factors.ts';
import { extensionBody } from '../../harness/fixtures/extensions.ts';
import { integrationBody } from '../../harness/fixtures/integrations.ts';
import { addStoredRecording, wav } from '../../harness/fixtures/recordings.ts';
import { linkTo, tokenFrom } from '../../harness/mailbox.ts';
import { addNamedOperator, openOperator, operatorPassword } from '../../harness/operator.ts';
import { runOperator } from '../../harness/operator-cli.ts';
import { createAccount, type Person, password } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';
import { until } from '../../harness/until.ts';
import { type Stores, startStores } from '../chaos/stores.ts';

const dir = inDev('at-rest', randomBytes(4).toString('hex'));
const [archive, recordings] = [join(dir, 'archive'), join(dir, 'recordings')];
let stores: Stores;
let platform: Platform;
const secrets = new Map<string, Buffer>();
const keys = { ring: randomBytes(32), digests: randomBytes(32).toString('hex') };

/** Stored on purpose as it is, so that a search that finds nothing at all is noticed. */
const control = `control-${randomBytes(12).toString('hex')}`;

beforeAll(async () => {
  mkdirSync(archive, { recursive: true });
  // PostgreSQL may run as another user.
  chmodSync(archive, 0o777);
  stores = await startStores(dir, {
    archive_mode: 'on',
    archive_command: `cp %p ${archive}/%f`,
    wal_compression: 'off',
  });
  const { ownerUrl, serviceUrl, operatorUrl, query } = stores;
  platform = await startPlatform(
    {
      RATE_LIMIT_SCALE: '1000',
      STORAGE_URL: pathToFileURL(recordings).href,
      KEY_RING: `k1:${keys.ring.toString('base64')}`,
      DIGEST_KEYS: `k1:${keys.digests}`,
    },
    {
      database: {
        ownerUrl,
        serviceUrl,
        operatorUrl,
        query: query as Platform['database']['query'],
        drop: async () => undefined,
      },
    },
  );
});
afterAll(async () => {
  await platform?.close();
  await stores?.stop();
  rmSync(dir, { recursive: true, force: true });
});

const keep = (name: string, secret: string | Buffer): void =>
  void secrets.set(name, Buffer.isBuffer(secret) ? secret : Buffer.from(secret));

/** Uses everything that stores a secret, and keeps each secret. */
async function useSecrets(): Promise<void> {
  const { admin, domain, id, addUser } = await createAccount(platform);
  const { client } = admin;
  keep('key of the key ring', keys.ring);
  keep('key of the HA1s', keys.digests);
  keep('password of a user', password);
  const newPassword = 'canary-password-after-a-change';
  keep('changed password', newPassword);
  await client.post('/users/change-password', { oldPassword: password, newPassword });
  keep('login token', admin.token);
  keep('created token', (await client.post('/users/accessTokens', { ttl: 3600 })).body.id);
  const service = await client.post('/accounts/accessTokens', { name: 'CRM', scopes: ['money'] });
  keep('service token', service.body.id);

  const senha = 'canary-senha-of-an-extension';
  const extension = (await client.post('/extensions', extensionBody({ senha, first_name: control }))).body;
  const changed = 'canary-senha-after-a-change';
  await client.patch('/extensions', { id: extension.id, senha: changed });
  for (const each of [senha, changed]) {
    keep(`senha ${each}`, each);
    keep(`HA1 of ${each}`, createHash('md5').update(`${extension.ramal}:${domain}:${each}`).digest('hex'));
  }
  const session = (await client.post(`/extensions/${extension.id}/phone-sessions`)).body;
  keep('password of a phone session', session.password);
  keep(
    'HA1 of a phone session',
    createHash('md5').update(`${session.username}:${session.domain}:${session.password}`).digest('hex'),
  );

  const integration = (await client.patch('/integrations', integrationBody())).body;
  const shown = (await client.get(`/integrations/${integration.id}/secret`)).body;
  const rotated = (await client.post(`/integrations/${integration.id}/secret/rotate`)).body;
  keep('webhook secret', shown.secret);
  keep('webhook secret after a rotation', rotated.secret);
  const audio = wav(3);
  await addStoredRecording(platform, id, audio);
  keep('header of a recording', audio.subarray(0, 44));
  keep('audio of a recording', audio.subarray(20_000, 20_064));
  await useSecondFactor(await addUser());
  await useMailedLink(await addUser());
  await useSingleSignOn(admin.client);
  await addTrunk();
  await useOperator();
}

async function useSingleSignOn(client: Client): Promise<void> {
  const clientSecret = 'canary-client-secret-of-single-sign-on';
  keep('client secret of single sign-on', clientSecret);
  const { status } = await client.request('PUT', '/accounts/sso', {
    body: {
      issuer: 'https://login.example.com',
      clientId: 'disca',
      clientSecret,
      domains: [],
      isRequired: false,
      exemptAdmin: null,
    },
  });
  expect(status).toBe(200);
}

/** Adds an operator, who logs in with an app; from now on commands need a login. */
async function useOperator(): Promise<void> {
  const operator = openOperator(platform);
  try {
    const { secret, token } = await addNamedOperator(operator, { name: 'olga', role: 'owner' });
    keep('password of an operator', operatorPassword);
    keep('TOTP secret of an operator', secret);
    keep('token of an operator', token);
  } finally {
    await operator.close();
  }
}

/** Adds an app, and logs in with it and with a recovery code. */
async function useSecondFactor(person: Person): Promise<void> {
  const { secret, recoveryCodes } = await addTotp(platform, person);
  keep('TOTP secret', secret);
  recoveryCodes.forEach((code, index) => {
    keep(`recovery code ${index}`, code);
    keep(`recovery code ${index} without hyphens`, code.replaceAll('-', ''));
  });
  const logIn = (path: string, otp: string | undefined) =>
    platform.client().post(path, { email: person.email, password, otp });
  // The code of the set-up is used, and the app may be ahead by one period.
  const byCode = await logIn('/users/login', totpCodeAfter(secret, 1, platform.clock.now()));
  keep('token of a login with an app', byCode.body.id);
  const byRecovery = await logIn('/console/session', recoveryCodes[0]);
  const [, token = ''] = /=([^;]+)/.exec(String(byRecovery.headers['set-cookie'])) ?? [];
  keep('token of a console session', token);
}

async function useMailedLink({ uuid, email }: Person): Promise<void> {
  await stores.query('update users set email_verified = true where uuid = $1', [uuid]);
  await platform.client().post('/users/reset', { email });
  const token = tokenFrom(await linkTo(platform, email, 'reset-password'));
  keep('token of a mailed link', token);
  const reset = 'canary-password-after-a-reset';
  keep('password after a reset', reset);
  const { status } = await platform.client().post('/users/reset-password', { token, password: reset });
  expect(status).toBe(204);
}

async function addTrunk(): Promise<void> {
  const [outbound, inbound] = ['canary-password-of-a-trunk', 'canary-inbound-password-of-a-trunk'];
  const fileWith = (secret: string): string => {
    keep(secret, secret);
    const file = join(dir, `trunk-${secrets.size}`);
    writeFileSync(file, secret);
    return file;
  };
  const { code, err } = await runOperator(platform, [
    ...['trunk', 'add', 'carrier', '--mode', 'live', '--address', '192.0.2.1:5060'],
    ...['--caller-id', '551130000000', '--user', 'disca', '--password-file', fileWith(outbound)],
    ...['--inbound-user', 'carrier', '--inbound-password-file', fileWith(inbound)],
  ]);
  expect([code, err]).toEqual([0, '']);
}

/** Forms in which a secret could be found: as it is, in hexadecimal text like bytea in a dump, and in base64. */
const formsOf = (secret: Buffer): Buffer[] => [
  secret,
  Buffer.from(secret.toString('hex')),
  ...[0, 1, 2].flatMap((before) => {
    const text = base64After(before, secret);
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')].map((each) => Buffer.from(each));
  }),
];

/** Returns the letters that a secret always has in the base64 of a text in which it follows this number of bytes. */
function base64After(before: number, secret: Buffer): string {
  const text = Buffer.concat([Buffer.alloc(before), secret]).toString('base64');
  const bits = 8 * (before + secret.length);
  return text.slice(Math.ceil((8 * before) / 6), Math.floor(bits / 6));
}

/** Reads all files below a folder. */
const filesIn = (folder: string): { name: string; bytes: Buffer }[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: entry.name, bytes: readFileSync(join(entry.parentPath, entry.name)) }));

/** Waits until all WAL up to now is archived. */
async function archiveWal(): Promise<void> {
  await stores.query('select txid_current()');
  const [row] = await stores.query('select pg_walfile_name(pg_switch_wal()) as name');
  await until(async () => {
    const [done] = await stores.query('select last_archived_wal >= $1 as is from pg_stat_archiver', [
      row?.name,
    ]);
    return done?.is;
  }, 'the WAL is archived');
}

test('REST-06 a dump, the WAL archive and the recordings contain no known secret', async () => {
  await useSecrets();
  await archiveWal();
  const dump = join(dir, 'dump.sql');
  execFileSync(postgresProgram('pg_dump'), ['--file', dump, stores.ownerUrl], { stdio: 'pipe' });
  const copies = {
    dump: [{ name: 'dump.sql', bytes: readFileSync(dump) }],
    wal: filesIn(archive),
    recordings: filesIn(recordings),
  };
  const found: string[] = [];
  for (const [copy, files] of Object.entries(copies)) {
    expect(files.length, copy).toBeGreaterThan(0);
    for (const [name, secret] of secrets)
      for (const { name: file, bytes } of files)
        if (formsOf(secret).some((form) => bytes.includes(form))) found.push(`${name} in ${copy}: ${file}`);
  }
  expect(found).toEqual([]);
  expect(secrets.size).toBeGreaterThan(35);
  // The search does find what is stored as it is.
  for (const copy of ['dump', 'wal'] as const)
    expect(
      copies[copy].some(({ bytes }) => bytes.includes(control)),
      copy,
    ).toBe(true);
});
