import { expect, test } from 'vitest';
import { configSchema, readConfig } from '../../src/main/config.ts';
import { testSettings } from '../harness/platform.ts';

const valid = testSettings('postgres://disca@127.0.0.1/disca', 'redis://127.0.0.1');

function configError(environment: Record<string, string | undefined>): string {
  try {
    readConfig(environment);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The configuration was accepted.');
}

const named = (message: string): string[] =>
  message
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => line.trim().split(' ', 1)[0] ?? '');

test('reads a complete environment with its defaults', () => {
  const config = readConfig({ ...valid, SOMETHING_ELSE: 'is not ours' });
  expect(config).toMatchObject({
    HTTP_PORT: 3000,
    OPS_HOST: '127.0.0.1',
    RATE_LIMIT_SCALE: 1,
    LOG_LEVEL: 'info',
  });
  expect(readConfig({ ...valid, SMTP_TLS: '' }).SMTP_TLS).toBe('required');
  expect(config).toMatchObject({ DEFAULT_ACCOUNT_MODE: 'test', TRUSTED_PROXIES: [], DATABASE_POOL_SIZE: 10 });
  expect(config.KEY_RING).toEqual([{ id: 'k1', secret: Buffer.alloc(32, 1) }]);
  expect(config).not.toHaveProperty('SOMETHING_ELSE');
});

test('reports every missing setting of an empty environment in one message', () => {
  const required = Object.entries(configSchema.shape)
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([name]) => name);
  expect(required).toEqual(
    expect.arrayContaining(['DATABASE_URL', 'REDIS_URL', 'KEY_RING', 'ACCOUNT_DOMAIN_SUFFIX']),
  );
  const message = configError({});
  expect(named(message).toSorted()).toEqual(required.toSorted());
  expect(message).toContain('docs/configuration.md');
  // An empty variable counts as not set.
  expect(configError(Object.fromEntries(required.map((name) => [name, ''])))).toBe(message);
});

test('reports all faults together, by name and rule and never by value', () => {
  const wrong = {
    DATABASE_URL: 'mysql://root:hunter2secret@db/disca',
    DATABASE_POOL_SIZE: '1hunter2secret',
    STATEMENT_TIMEOUT_MS: '99',
    REDIS_URL: 'hunter2secret',
    HTTP_PORT: '70000',
    PUBLIC_URL: 'ftp://hunter2secret',
    SMTP_URL: 'http://user:hunter2secret@mail',
    MAIL_FROM: 'x',
    ACCOUNT_DOMAIN_SUFFIX: 'hunter2secret',
    KEY_RING: 'k1:hunter2secret',
    DEFAULT_ACCOUNT_MODE: 'hunter2secret',
    RATE_LIMIT_SCALE: '0.5',
    LOG_LEVEL: 'hunter2secret',
    SHUTDOWN_GRACE_MS: '-1',
  };
  const message = configError({ ...valid, ...wrong });
  expect(named(message).toSorted()).toEqual(Object.keys(wrong).toSorted());
  expect(message).not.toContain('hunter2');
  expect(message).toMatch(/DATABASE_URL must be a URL that begins with postgres:\/\/ or postgresql:\/\//);
  expect(message).toMatch(/LOG_LEVEL must be one of silent, fatal, error, warn, info, debug, trace/);
  expect(message).toMatch(/HTTP_PORT must be at most 65535/);
  for (const line of message.split('\n').slice(1, -1)) expect(line).toMatch(/^ {2}[A-Z_]+ \S.+/);
});

test('a key ring needs keys of 32 bytes with ids, and keeps their order', () => {
  const key = (fill: number) => Buffer.alloc(32, fill).toString('base64');
  const ring = (text: string) => readConfig({ ...valid, KEY_RING: text }).KEY_RING;
  expect(ring(`new:${key(2)}, old:${key(1)}`).map(({ id }) => id)).toEqual(['new', 'old']);
  for (const text of [
    ',',
    'k1',
    `:${key(1)}`,
    `K1:${key(1)}`,
    `k1:${key(1).slice(4)}`,
    `k1:${key(1)},k2:short`,
    `k1:${key(1)},k1:${key(2)}`,
  ]) {
    expect(named(configError({ ...valid, KEY_RING: text })), text).toEqual(['KEY_RING']);
  }
});

test('splits lists at commas', () => {
  const config = readConfig({ ...valid, TRUSTED_PROXIES: ' 10.0.0.0/8 ,192.0.2.1,', CRM_NAMES: 'A, B' });
  expect(config.TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '192.0.2.1']);
  expect(config.CRM_NAMES).toEqual(['A', 'B']);
});

test('trusts only addresses and networks as proxies, and never all of them', () => {
  const trusted = '192.0.2.1,10.0.0.0/8,::1,fd00::/8,2001:db8::1/128';
  expect(readConfig({ ...valid, TRUSTED_PROXIES: trusted }).TRUSTED_PROXIES).toEqual(trusted.split(','));
  for (const wrong of ['proxy', '10.0.0.0/33', '10.0.0.0/0', '::/0', '10.0.0.0/8/8', '10.1', '10.0.0.0/x'])
    expect(named(configError({ ...valid, TRUSTED_PROXIES: `10.0.0.1,${wrong}` })), wrong).toEqual([
      'TRUSTED_PROXIES',
    ]);
});

test('every setting has a description, and secrets are marked', () => {
  for (const [name, schema] of Object.entries(configSchema.shape)) {
    expect(schema.meta()?.description, name).toMatch(/\S/);
  }
  const secrets = Object.entries(configSchema.shape).filter(([, schema]) => schema.meta()?.secret);
  expect(secrets.map(([name]) => name)).toEqual(
    expect.arrayContaining(['DATABASE_URL', 'REDIS_URL', 'SMTP_URL', 'KEY_RING']),
  );
});

test('ABUSE-05 actions of signals are read by name, and unknown ones are refused', () => {
  const read = (text: string) => readConfig({ ...valid, ABUSE_ACTIONS: text }).ABUSE_ACTIONS;
  expect(read('short_calls=off, outside_hours=suspend')).toEqual({
    short_calls: 'off',
    outside_hours: 'suspend',
  });
  expect(readConfig(valid).ABUSE_ACTIONS).toEqual({});
  for (const wrong of ['short_calls', 'short_calls=maybe', 'long_calls=off'])
    expect(named(configError({ ...valid, ABUSE_ACTIONS: wrong })), wrong).toEqual(['ABUSE_ACTIONS']);
});
