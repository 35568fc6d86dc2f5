import { rmSync } from 'node:fs';
import {
  type DatabaseCluster,
  type DatabaseFiles,
  startEtcd,
  startPatroni,
} from '../../harness/hosts/database-cluster.ts';
import type { Host } from '../../harness/hosts/host-network.ts';
import { findSnippet } from '../../harness/manual.ts';
import { until } from '../../harness/until.ts';

/**
 * Replaces a machine that was lost with its disk, by the commands of the manual, and waits until the new one confirms the
 * commits alone.
 */
export async function replaceMachine(cluster: DatabaseCluster, lost: Host): Promise<void> {
  const files = cluster.filesOf(lost);
  for (const folder of files.dataFolders) rmSync(folder, { recursive: true });
  const remaining = cluster.hosts.find((host) => host !== lost);
  if (!remaining) throw new Error('No machine is left.');
  const here = (text: string): string =>
    text
      .replaceAll('10.0.0.41', remaining.address)
      .replaceAll('10.0.0.42', lost.address)
      .replaceAll(/\bdb2\b/g, lost.name)
      .replaceAll('/etc/default/etcd', files.etcdFile);
  await lost.reconnect();
  await runShell(remaining, here(findSnippet('etcdctl member remove')));
  for (const line of here(findSnippet('ETCD_INITIAL_CLUSTER_STATE')).trim().split('\n'))
    await runLine(lost, files, line);
  await cluster.untilWhole();
  await seeItConfirm(cluster, lost);
}

const runShell = (host: Host, script: string): Promise<string> =>
  host.run('bash', '-euo', 'pipefail', '-c', script);

/** Hosts have no systemd: the harness starts their services. */
async function runLine(host: Host, files: DatabaseFiles, line: string): Promise<void> {
  const [, service] = /^systemctl restart (\w+)$/.exec(line) ?? [];
  if (service === undefined) await runShell(host, line);
  else if (service === 'etcd') await startEtcd(host, files);
  else if (service === 'patroni') await startPatroni(host, files);
  else throw new Error(`A database machine has no service ${service}.`);
}

/** With the other standby down, the new machine is the only one that can confirm commits. */
async function seeItConfirm(cluster: DatabaseCluster, replaced: Host): Promise<void> {
  const primary = await cluster.primary();
  const other = cluster.hosts.find((host) => host !== primary && host !== replaced);
  await other?.powerOff();
  await until(async () => (await cluster.synchronousStandby()) === replaced, `${replaced.name} confirms`);
  await other?.powerOn();
}
