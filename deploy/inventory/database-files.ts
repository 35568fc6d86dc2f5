import { confidential, filled, type HostContext, type HostFile, owners } from './host-files.ts';
import { hostsOf } from './inventory.ts';

/** PostgreSQL, Patroni and etcd. */
export function databaseFiles({ inventory, host, secrets, at }: HostContext<'database'>): HostFile[] {
  const databases = hostsOf(inventory, 'database').flatMap(({ name, address }, index) => [
    [`DATABASE_${index + 1}`, address],
    [`DATABASE_${index + 1}_NAME`, name],
  ]);
  const values = {
    ...Object.fromEntries(databases),
    NAME: host.name,
    ADDRESS: host.address,
    NETWORK: inventory.private.network,
    DATA: at('/var/lib/postgresql/15/disca'),
    ETCD_DATA: at('/var/lib/etcd/disca'),
    STATE: at('/run/postgresql'),
    PROGRAMS: '/usr/lib/postgresql/15/bin',
    MAX_CONNECTIONS: inventory.database.maxConnections,
    SHARED_BUFFERS: inventory.database.sharedBuffers,
    WATCHDOG: inventory.database.watchdog,
    REST_PASSWORD: secrets('rest_password'),
    SUPERUSER_PASSWORD: secrets('superuser_password'),
    REPLICATION_PASSWORD: secrets('replication_password'),
    REWIND_PASSWORD: secrets('rewind_password'),
  };
  return [
    confidential(filled('/etc/patroni/config.yml', 'patroni/patroni.yml.in', values)),
    filled('/etc/default/etcd', 'patroni/etcd.env.in', values),
    owners(['z /etc/patroni/config.yml 0600 postgres postgres']),
  ];
}
