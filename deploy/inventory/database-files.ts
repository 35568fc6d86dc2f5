import {
  confidential,
  filled,
  type HostContext,
  type HostFile,
  owners,
  plain,
  readTemplate,
} from './host-files.ts';
import { hostsOf } from './inventory.ts';

const dataFolder = '/var/lib/postgresql/15/disca';
const socketFolder = '/run/postgresql';

/** PostgreSQL, Patroni, etcd and pgBackRest. */
export function databaseFiles(context: HostContext<'database'>): HostFile[] {
  const { inventory, host, secrets, at } = context;
  const databases = hostsOf(inventory, 'database').flatMap(({ name, address }, index): [string, string][] => [
    [`DATABASE_${index + 1}`, address],
    [`DATABASE_${index + 1}_NAME`, name],
  ]);
  const values = {
    ...Object.fromEntries(databases),
    NAME: host.name,
    ADDRESS: host.address,
    NETWORK: inventory.private.network,
    DATA: at(dataFolder),
    ETCD_DATA: at('/var/lib/etcd/disca'),
    STATE: at(socketFolder),
    PROGRAMS: '/usr/lib/postgresql/15/bin',
    MAX_CONNECTIONS: inventory.database.maxConnections,
    SHARED_BUFFERS: inventory.database.sharedBuffers,
    ARCHIVE_MODE: inventory.backups ? 'on' : 'off',
    WATCHDOG: inventory.database.watchdog,
    REST_PASSWORD: secrets('rest_password'),
    SUPERUSER_PASSWORD: secrets('superuser_password'),
    REPLICATION_PASSWORD: secrets('replication_password'),
    REWIND_PASSWORD: secrets('rewind_password'),
  };
  return [
    confidential(filled('/etc/patroni/config.yml', 'patroni/patroni.yml.in', values)),
    filled('/etc/default/etcd', 'patroni/etcd.env.in', values),
    plain('/etc/patroni/disk-check.py', readTemplate('patroni/disk-check.py')),
    plain(
      '/etc/systemd/system/patroni.service.d/disk-check.conf',
      readTemplate('patroni/patroni.service.conf'),
    ),
    ...backupFiles(context),
    owners([
      'z /etc/patroni/config.yml 0600 postgres postgres',
      ...(inventory.backups
        ? ['Z /etc/pgbackrest - postgres postgres', 'd /run/lock/pgbackrest 0750 postgres postgres']
        : []),
    ]),
  ];
}

/** pgBackRest, if the inventory has a bucket for backups. */
function backupFiles({ inventory: { backups }, secrets, at }: HostContext<'database'>): HostFile[] {
  if (!backups) return [];
  const { bucket, host, port, region, accessKeyId, caFile, processes } = backups;
  return [
    confidential(
      filled('/etc/pgbackrest/pgbackrest.conf', 'pgbackrest/database/pgbackrest.conf.in', {
        CIPHER_PASS: secrets('backup_key'),
        PROCESSES: processes,
        IO_SECONDS: 15,
        LOGS: at('/var/log/pgbackrest'),
        LOCKS: at('/run/lock/pgbackrest'),
        DATA: at(dataFolder),
        SOCKETS: at(socketFolder),
        PORT: 5432,
        DATABASE_USER: 'postgres',
      }),
    ),
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
