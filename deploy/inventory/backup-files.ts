import { backupCertificateKeyOf, backupCertificateOf } from './certificates.ts';
import {
  confidential,
  databaseFolders,
  filled,
  type HostContext,
  type HostFile,
  owners,
  plain,
} from './host-files.ts';
import { hostsOf, type Inventory } from './inventory.ts';
import type { Secrets } from './secrets.ts';

const certificatesFolder = '/etc/pgbackrest/tls';
/** Seconds without a response after which a connection is given up. */
const ioSeconds = 15;

/** Whether the WAL is archived, to a bucket or a backup host. */
export const hasBackups = (inventory: Inventory): boolean =>
  inventory.backups !== undefined || hostsOf(inventory, 'backup').length > 0;

/** Owners of the files of pgBackRest. */
export const backupOwners = [
  'Z /etc/pgbackrest - postgres postgres',
  'd /run/lock/pgbackrest 0750 postgres postgres',
];

/** pgBackRest of a database machine, if the inventory has a bucket or a host for backups. */
export function databaseBackupFiles(context: HostContext<'database'>): HostFile[] {
  const { inventory, secrets, at } = context;
  const [host] = hostsOf(inventory, 'backup');
  const processes = inventory.backups?.processes ?? host?.processes;
  if (processes === undefined) return [];
  const main = filled('/etc/pgbackrest/pgbackrest.conf', 'pgbackrest/database/pgbackrest.conf.in', {
    ...commonValues(secrets, at),
    PROCESSES: processes,
    SPOOL: at('/var/spool/pgbackrest'),
    DATA: at(databaseFolders.data),
    SOCKETS: at(databaseFolders.sockets),
  });
  return [confidential(main), ...(host ? hostRepository(context, host) : bucketRepository(context))];
}

function bucketRepository({ inventory: { backups }, secrets }: HostContext<'database'>): HostFile[] {
  if (!backups) return [];
  const { bucket, host, port, region, accessKeyId, caFile } = backups;
  return [
    confidential(
      filled('/etc/pgbackrest/conf.d/repository.conf', 'pgbackrest/bucket/repository.conf.in', {
        BUCKET: bucket,
        S3_HOST: host,
        S3_PORT: port,
        S3_REGION: region,
        S3_KEY: accessKeyId,
        S3_KEY_SECRET: secrets('backup_secret_access_key'),
        CA_FILE: caFile,
      }),
    ),
  ];
}

const hostRepository = (
  { host, secrets, at }: HostContext<'database'>,
  backupHost: { name: string; address: string },
): HostFile[] => [
  filled('/etc/pgbackrest/conf.d/repository.conf', 'pgbackrest/host/repository.conf.in', {
    BACKUP_HOST: backupHost.address,
    BACKUP_HOST_NAME: backupHost.name,
    ADDRESS: host.address,
    CERTIFICATES: at(certificatesFolder),
  }),
  ...certificateFiles(host.name, secrets),
];

/** pgBackRest of the backup host, with the repository in a folder. */
export function backupHostFiles({ inventory, host, secrets, at }: HostContext<'backup'>): HostFile[] {
  const databases = hostsOf(inventory, 'database').flatMap(({ name, address }, index): [string, string][] => [
    [`DATABASE_${index + 1}`, address],
    [`DATABASE_${index + 1}_NAME`, name],
    [`DATA_${index + 1}`, databaseFolders.data],
    [`SOCKETS_${index + 1}`, databaseFolders.sockets],
  ]);
  return [
    confidential(
      filled('/etc/pgbackrest/pgbackrest.conf', 'pgbackrest/backup-host/pgbackrest.conf.in', {
        ...commonValues(secrets, at),
        ...Object.fromEntries(databases),
        PROCESSES: host.processes,
        ADDRESS: host.address,
        CERTIFICATES: at(certificatesFolder),
      }),
    ),
    filled('/etc/pgbackrest/conf.d/repository.conf', 'pgbackrest/folder/repository.conf.in', {
      FOLDER: at(host.folder),
    }),
    ...certificateFiles(host.name, secrets),
    owners([...backupOwners, `d ${host.folder} 0750 postgres postgres`]),
  ];
}

const commonValues = (secrets: Secrets, at: (path: string) => string): Record<string, string | number> => ({
  CIPHER_PASS: secrets('backup_key'),
  IO_SECONDS: ioSeconds,
  LOGS: at('/var/log/pgbackrest'),
  LOCKS: at('/run/lock/pgbackrest'),
  PORT: 5432,
  DATABASE_USER: 'postgres',
});

const certificateFiles = (machine: string, secrets: Secrets): HostFile[] =>
  Object.entries({
    'authority.crt': 'node_authority',
    'machine.crt': backupCertificateOf(machine),
    'machine.key': backupCertificateKeyOf(machine),
  }).map(([file, secret]) => confidential(plain(`${certificatesFolder}/${file}`, `${secrets(secret)}\n`)));
