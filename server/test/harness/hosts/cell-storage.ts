import { chownSync, cpSync, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Inventory } from '../../../../deploy/inventory/inventory.ts';
import type { Secrets } from '../../../../deploy/inventory/secrets.ts';
import { root } from '../../../../tools/dev/paths.ts';
import { politeThenKill } from '../../../../tools/dev/process-identity.ts';
import { type PostgresUser, postgresUser } from '../../../../tools/dev/services/postgres-programs.ts';
import { certificateAuthority, issueCertificate } from '../../../../tools/dev/voice/certificates.ts';
import { until } from '../until.ts';
import { cellBucket } from './cell-inventory.ts';
import type { DatabaseCluster } from './database-cluster.ts';
import type { Host, HostService } from './host-network.ts';

const entry = join(root, 'simulator/object-store/main.ts');

/** The folder of the objects of a storage host. */
export const objectsIn = (folder: string): string => join(folder, 'var/lib/objects');

/** Copies the certificate authority of the object store to where the inventory names it, readable by every user. */
export async function writeStorageAuthority({ storage }: Inventory): Promise<void> {
  if (storage.caFile) cpSync(await certificateAuthority(), storage.caFile);
}

/** The simulator's object store over TLS, with its objects in the folder of the host. */
export async function objectStore(host: Host, folder: string, secrets: Secrets): Promise<HostService> {
  const certificates = join(folder, 'etc/object-store');
  // pgBackRest compares the DNS names of a certificate, even with an address.
  await issueCertificate(certificates, [host.address, `DNS:${host.address}`], 'store');
  const { name, accessKeyId, port } = cellBucket;
  return {
    name: 'object-store',
    command: process.execPath,
    args: [entry],
    commandIncludes: entry,
    logFile: join(folder, 'var/log/object-store.log'),
    cwd: root,
    ending: politeThenKill,
    restarts: true,
    isReady: () => accepts(host.address, port),
    env: {
      OBJECT_STORE_BUCKET: name,
      OBJECT_STORE_ACCESS_KEY_ID: accessKeyId,
      OBJECT_STORE_SECRET_ACCESS_KEY: secrets('s3_secret_access_key'),
      OBJECT_STORE_DIR: objectsIn(folder),
      OBJECT_STORE_HOST: host.address,
      OBJECT_STORE_PORT: String(port),
      OBJECT_STORE_CERTIFICATE: join(certificates, 'store.crt'),
      OBJECT_STORE_KEY: join(certificates, 'store.key'),
    },
  };
}

const connectMs = 1_000;

const accepts = (address: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, address);
    const finish = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.setTimeout(connectMs, () => finish(false));
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });

/** Variables that name the configuration of pgBackRest, which is not at its usual place. */
export const backupEnvironment = (folder: string): Record<string, string> => ({
  PGBACKREST_CONFIG: join(folder, 'etc/pgbackrest/pgbackrest.conf'),
  PGBACKREST_CONFIG_INCLUDE_PATH: join(folder, 'etc/pgbackrest/conf.d'),
});

/** Sets the owners of pgBackRest's files, as systemd-tmpfiles and the Debian package do. */
export function prepareBackupFolders(folder: string, user: PostgresUser): void {
  const created = ['var/log/pgbackrest', 'var/spool/pgbackrest', 'run/lock/pgbackrest'];
  for (const path of created) mkdirSync(join(folder, path), { recursive: true });
  const rendered = ['', 'pgbackrest.conf', 'conf.d', 'conf.d/repository.conf'];
  for (const path of [...created, ...rendered.map((name) => join('etc/pgbackrest', name))])
    chownSync(join(folder, path), user.uid, user.gid);
}

/** Creates the repository of the backups, as docs/operate/backup.md describes it, once PostgreSQL runs. */
export async function createRepository(
  cluster: DatabaseCluster,
  folderOf: (host: { name: string }) => string,
): Promise<void> {
  const primary = await cluster.primary();
  await until(async () => {
    try {
      await runPgBackRest(primary, folderOf(primary), 'stanza-create');
      return true;
    } catch (error) {
      // PostgreSQL's attempts to archive hold the lock for a short time.
      if (!String(error).includes('unable to acquire lock')) throw error;
      return false;
    }
  }, 'the repository is created');
}

/** Runs a command of pgBackRest as PostgreSQL's user. */
export function runPgBackRest(host: Host, folder: string, ...args: string[]): Promise<string> {
  const { uid, gid } = postgresUser() ?? { uid: 0, gid: 0 };
  const variables = Object.entries(backupEnvironment(folder)).map(([name, value]) => `${name}=${value}`);
  const asUser = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const [command = '', ...rest] = [...asUser, 'env', ...variables, 'pgbackrest', '--stanza=disca', ...args];
  return host.run(command, ...rest);
}
