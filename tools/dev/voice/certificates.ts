import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { withLockAt } from '../lock.ts';
import { inDev } from '../paths.ts';
import { capture } from '../run-command.ts';
import { UserError } from '../user-error.ts';

/** CA certificate of this checkout; clients that trust it trust the edges of development and tests. */
export const authorityFile = inDev('certificates', 'ca.crt');

/** Returns the CA certificate file, creating it if needed. */
export async function certificateAuthority(): Promise<string> {
  await makeAuthority();
  return authorityFile;
}

const keyFile = inDev('certificates', 'ca.key');
const authorityDays = 3_650;
const certificateDays = 365;
const waitMs = 30_000;
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/**
 * Writes edge.crt and edge.key, or another file name, to the folder, valid for these names and addresses. A name that
 * begins with `DNS:` is not recognized as an address.
 */
export async function issueCertificate(folder: string, names: string[], file = 'edge'): Promise<void> {
  await makeAuthority();
  mkdirSync(folder, { recursive: true });
  const alternatives = names.map((name) =>
    name.startsWith('DNS:') ? name : `${isIP(name) > 0 ? 'IP' : 'DNS'}:${name}`,
  );
  await openssl([
    ...['req', '-x509', ...newKey, '-CA', authorityFile, '-CAkey', keyFile],
    ...['-keyout', join(folder, `${file}.key`), '-out', join(folder, `${file}.crt`)],
    ...['-days', String(certificateDays), '-subj', `/CN=${names[0] ?? file}`],
    ...[
      '-addext',
      `subjectAltName=${alternatives.join(',')}`,
      '-addext',
      'basicConstraints=critical,CA:FALSE',
    ],
    ...['-addext', 'extendedKeyUsage=serverAuth'],
  ]);
}

async function makeAuthority(): Promise<void> {
  if (existsSync(authorityFile)) return;
  mkdirSync(inDev('certificates'), { recursive: true });
  await withLockAt(inDev('certificates.lock'), waitMs, async () => {
    if (existsSync(authorityFile)) return;
    rmSync(keyFile, { force: true });
    const unfinished = `${authorityFile}.new`;
    await openssl([
      ...['req', '-x509', ...newKey, '-keyout', keyFile, '-out', unfinished],
      ...['-days', String(authorityDays), '-subj', '/CN=Disca development'],
      ...['-addext', 'keyUsage=critical,keyCertSign,cRLSign'],
    ]);
    renameSync(unfinished, authorityFile);
  });
}

async function openssl(args: string[]): Promise<void> {
  const result = await capture('openssl', args);
  if (result.exitCode !== 0) throw new UserError(`openssl ${args[0]} failed:\n${result.output.trimEnd()}`);
}
