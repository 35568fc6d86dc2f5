import type { Alert } from './alert.ts';

const onHosts = (metric: string, ...values: string[]): Record<string, string> =>
  Object.fromEntries(
    values.map((value, index) => [
      `${metric}{job="disca-database",scope="disca",name="db${index + 1}"}`,
      value,
    ]),
  );

/** PostgreSQL on three machines, by the metrics of Patroni and its disk check. Without them, none of these fires. */
export const databaseAlerts: Alert[] = [
  {
    name: 'DiscaDatabaseNoPrimary',
    severity: 'critical',
    when: 'sum(patroni_primary) < 1',
    lasting: '1m',
    summary: 'No database machine is the primary: the API returns 503.',
    action: 'Run patronictl list on a database machine. Two of the three machines and their etcd must run.',
    fires: { series: onHosts('patroni_primary', '1 0x10', '0x10', '0x10'), at: '5m' },
    silent: { series: onHosts('patroni_primary', '1 0x10', '0 1x10', '0x10'), at: '5m' },
  },
  {
    name: 'DiscaDatabaseNoStandby',
    severity: 'critical',
    when: 'sum(patroni_sync_standby) < 1',
    lasting: '1m',
    summary: 'No standby confirms commits: every write waits.',
    action: 'Start a standby or replace its machine; run disca doctor replication.',
    fires: { series: onHosts('patroni_sync_standby', '0x10', '0x10'), at: '5m' },
    silent: { series: onHosts('patroni_sync_standby', '0x10', '0 1x10'), at: '5m' },
  },
  {
    name: 'DiscaDatabaseMachineMissing',
    severity: 'warning',
    when: 'sum(patroni_postgres_running) < 3',
    lasting: '2m',
    summary: 'One of the three database machines is missing; the loss of another one stops all writes.',
    action: 'Run patronictl list on a database machine, and repair or replace the one that is missing.',
    fires: { series: onHosts('patroni_postgres_running', '1x10', '1x10', '0x10'), at: '5m' },
    silent: { series: onHosts('patroni_postgres_running', '1x10', '1x10', '0 1x10'), at: '5m' },
  },
  {
    name: 'DiscaDatabaseDiskHangs',
    severity: 'warning',
    when: 'max by (instance) (disca_database_disk_silent_seconds) >= 10',
    lasting: '0m',
    summary: 'The disk of a database machine completes no writes: the machine has left the cluster.',
    action: 'Repair its disk or replace the machine. It returns as a standby when the disk completes writes.',
    fires: {
      series: {
        'disca_database_disk_silent_seconds{instance="db1:8009"}': '0 60x10',
        'disca_database_disk_silent_seconds{instance="db2:8009"}': '0x10',
      },
      at: '5m',
      labels: { instance: 'db1:8009' },
    },
    silent: {
      series: { 'disca_database_disk_silent_seconds{instance="db1:8009"}': '0 60 2x10' },
      at: '5m',
    },
  },
  {
    name: 'DiscaDatabaseEtcdLost',
    severity: 'warning',
    when: 'time() - max(patroni_dcs_last_seen) > 60',
    lasting: '1m',
    summary: 'No database machine reaches a majority of etcd, so no primary can be chosen.',
    action: 'Check etcd on the three database machines, and the network between them.',
    fires: { series: onHosts('patroni_dcs_last_seen', '0x10', '0x10', '0x10'), at: '5m' },
    silent: { series: onHosts('patroni_dcs_last_seen', '0x10', '0+60x10', '0+60x10'), at: '5m' },
  },
];
