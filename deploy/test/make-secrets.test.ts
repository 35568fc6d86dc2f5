import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { root } from '../../tools/dev/paths.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'disca-secrets-'));
  for (const name of ['make-secrets', '.env.example'])
    copyFileSync(join(root, 'deploy/compose', name), join(folder, name.replace('.example', '')));
});

afterEach(() => rmSync(folder, { recursive: true }));

const makeSecrets = () => spawnSync(join(folder, 'make-secrets'), { encoding: 'utf8', env: minimalEnv });
const minimalEnv = { PATH: process.env.PATH };
const secret = (name: string): string => join(folder, 'secrets', name);
const allSecrets = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(folder, 'secrets')).map((name) => [name, readFileSync(secret(name), 'utf8')]),
  );

it('the certificate is valid for the SIP domain and the address of the edge', () => {
  expect(makeSecrets().status).toBe(0);
  const certificate = new X509Certificate(readFileSync(secret('certificate')));
  expect(certificate.subjectAltName).toBe('DNS:sip.example.com, IP Address:192.0.2.10');
  expect(certificate.checkHost('sip.example.com')).toBe('sip.example.com');
});

it('mail is neither sent nor kept in the mailbox until a mail server is configured', () => {
  const { stdout } = makeSecrets();
  // A top-level domain that never resolves (RFC 2606).
  expect(readFileSync(secret('smtp_url'), 'utf8')).toBe('smtps://mail.invalid\n');
  expect(stdout).toContain('No mail is sent until secrets/smtp_url contains the URL of your mail server.');
});

it('the URL of Redis contains the password of Redis', () => {
  makeSecrets();
  const { redis_password: password = '', redis_url: url } = allSecrets();
  expect(password).toMatch(/^\w{32}$/);
  expect(url).toBe(`redis://:${password}@redis:6379\n`);
});

it('a second run changes no secrets', () => {
  makeSecrets();
  const before = allSecrets();
  const again = makeSecrets();
  expect([again.status, again.stdout, again.stderr]).toEqual([0, '', '']);
  expect(allSecrets()).toEqual(before);
});

it('creates a missing secret beside the others', () => {
  makeSecrets();
  const { turn_secret: lost, ...others } = allSecrets();
  rmSync(secret('turn_secret'));
  const again = makeSecrets();
  expect([again.status, again.stdout]).toEqual([0, 'created secrets/turn_secret\n']);
  const { turn_secret: made, ...kept } = allSecrets();
  expect(kept).toEqual(others);
  expect(made).toHaveLength(lost?.length ?? 0);
  expect(made).not.toBe(lost);
});

it('reports a certificate without its key and leaves it unchanged', () => {
  makeSecrets();
  rmSync(secret('certificate_key'));
  const before = allSecrets();
  const again = makeSecrets();
  expect(again.status).toBe(1);
  expect(again.stderr).toContain('certificate and certificate_key belong together');
  expect(allSecrets()).toEqual(before);
});

it.each(['SIP_DOMAIN', 'EDGE_ADDRESS'])(
  'without %s no certificate is created, and the reason is printed',
  (name) => {
    const settings = readFileSync(join(folder, '.env'), 'utf8');
    writeFileSync(join(folder, '.env'), settings.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=`));
    const made = makeSecrets();
    expect(made.status).toBe(1);
    expect(made.stderr).toContain(name);
  },
);
