import { backupOwners, databaseBackupFiles, hasBackups } from './backup-files.ts';
import {
  confidential,
  databaseFolders,
  filled,
  type HostContext,
  type HostFile,
  owners,
  plain,
  readTemplate,
} from './host-files.ts';
import { hostsOf } from './inventory.ts';

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
    DATA: at(databaseFolders.data),
    ETCD_DATA: at('/var/lib/etcd/disca'),
    STATE: at(databaseFolders.sockets),
    PROGRAMS: '/usr/lib/postgresql/15/bin',
    MAX_CONNECTIONS: inventory.database.maxConnections,
    SHARED_BUFFERS: inventory.database.sharedBuffers,
    ARCHIVE_MODE: hasBackups(inventory) ? 'on' : 'off',
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
    ...databaseBackupFiles(context),
    owners([
      'z /etc/patroni/config.yml 0600 postgres postgres',
      ...(hasBackups(inventory) ? backupOwners : []),
    ]),
  ];
}
