import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../tools/dev/user-error.ts';
import { createCertificates } from './certificates.ts';
import { hostsOf, type Inventory } from './inventory.ts';

/** Returns the text of a secret of the cell. */
export type Secrets = (name: string) => string;

const passwords = [
  ...['owner_password', 'app_password', 'edge_password', 'operator_password', 'superuser_password'],
  ...['replication_password', 'rewind_password', 'rest_password', 'redis_password', 'nonce_secret'],
  ...['dialog_secret', 'turn_secret', 'ari_password', 'backup_key'],
];

export const nodeSecretOf = (node: string): string => `node_secret.${node}`;
const usesBucket = ({ storage }: Inventory): boolean => storage.url.startsWith('s3:');

/**
 * Reads the secrets of a cell, one file each. Creates missing passwords and certificates of media nodes, and never
 * changes existing ones. The operator provides the others.
 */
export function openSecrets(folder: string, inventory: Inventory): Secrets {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const nodes = hostsOf(inventory, 'media').map(({ name }) => name);
  for (const name of [...passwords, ...nodes.map(nodeSecretOf)])
    createOnce(join(folder, name), () => randomBytes(24).toString('hex'));
  createOnce(join(folder, 'key_ring'), () => `k1:${randomBytes(32).toString('base64')}`);
  createOnce(join(folder, 'digest_keys'), () => `k1:${randomBytes(32).toString('hex')}`);
  const backupHosts = hostsOf(inventory, 'backup');
  createCertificates(
    folder,
    nodes,
    backupHosts.length > 0 ? [...backupHosts, ...hostsOf(inventory, 'database')] : [],
  );
  const provided = ['smtp_url', 'certificate', 'certificate_key'];
  if (usesBucket(inventory)) provided.push('s3_secret_access_key');
  if (inventory.backups) provided.push('backup_secret_access_key');
  const missing = provided.filter((name) => !existsSync(join(folder, name)));
  if (missing.length > 0) throw new UserError(`Add these files to ${folder}: ${missing.join(', ')}.`);
  return (name) => readFileSync(join(folder, name), 'utf8').trimEnd();
}

function createOnce(file: string, create: () => string): void {
  if (!existsSync(file)) writeFileSync(file, `${create()}\n`, { mode: 0o600, flag: 'wx' });
}
