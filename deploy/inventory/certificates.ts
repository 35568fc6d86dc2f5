import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../tools/dev/user-error.ts';

const authorityDays = 3_650;
const certificateDays = 730;
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export const nodeCertificateOf = (node: string): string => `node_certificate.${node}`;
export const nodeCertificateKeyOf = (node: string): string => `node_certificate_key.${node}`;
export const backupCertificateOf = (machine: string): string => `backup_certificate.${machine}`;
export const backupCertificateKeyOf = (machine: string): string => `backup_certificate_key.${machine}`;
/** The name that media nodes expect in the certificate of voice. */
const voiceName = 'voice';

/**
 * Creates the authority, the certificate of voice, one for each media node, and one for each machine with a server of
 * pgBackRest, if they are missing. The key of the authority stays in the folder of the secrets.
 */
export function createCertificates(
  folder: string,
  nodes: string[],
  backupMachines: { name: string; address: string }[] = [],
): void {
  const authority = { certificate: 'node_authority', key: 'node_authority_key' };
  createPair(folder, authority, (files) => [
    ...['-days', String(authorityDays), '-subj', '/CN=Disca media nodes'],
    ...['-addext', 'keyUsage=critical,keyCertSign,cRLSign', ...output(files)],
  ]);
  const issue = (pair: Pair, name: string, usage: string, seenAs = name): void =>
    createPair(folder, pair, (files) => [
      ...['-CA', join(folder, authority.certificate), '-CAkey', join(folder, authority.key)],
      ...[
        '-days',
        String(certificateDays),
        '-subj',
        `/CN=${name}`,
        '-addext',
        `subjectAltName=DNS:${seenAs}`,
      ],
      ...['-addext', 'basicConstraints=critical,CA:FALSE', '-addext', `extendedKeyUsage=${usage}`],
      ...output(files),
    ]);
  issue({ certificate: 'voice_certificate', key: 'voice_certificate_key' }, voiceName, 'serverAuth');
  for (const node of nodes)
    issue({ certificate: nodeCertificateOf(node), key: nodeCertificateKeyOf(node) }, node, 'clientAuth');
  // Each of these machines connects to the others. pgBackRest compares the DNS names, even with an address.
  for (const { name, address } of backupMachines)
    issue(
      { certificate: backupCertificateOf(name), key: backupCertificateKeyOf(name) },
      name,
      'serverAuth,clientAuth',
      address,
    );
}

interface Pair {
  certificate: string;
  key: string;
}

const output = ({ certificate, key }: Pair): string[] => ['-keyout', key, '-out', certificate];

function createPair(folder: string, { certificate, key }: Pair, options: (files: Pair) => string[]): void {
  const exist = [certificate, key].filter((name) => existsSync(join(folder, name)));
  if (exist.length === 2) return;
  if (exist.length === 1)
    throw new UserError(
      `${certificate} and ${key} belong together, but only one of them is in ${folder}. Add the other, or delete it to create both.`,
    );
  const made = mkdtempSync(join(tmpdir(), 'disca-certificate-'));
  try {
    const files = { certificate: join(made, 'crt'), key: join(made, 'key') };
    const { status, stderr } = spawnSync('openssl', ['req', '-x509', ...newKey, ...options(files)], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new UserError(`openssl failed to create ${certificate}:\n${stderr}`);
    for (const [name, file] of [
      [key, files.key],
      [certificate, files.certificate],
    ] as const)
      writeFileSync(join(folder, name), readFileSync(file, 'utf8'), { mode: 0o600, flag: 'wx' });
  } finally {
    rmSync(made, { recursive: true });
  }
}
