import { join } from 'node:path';
import { withClient } from '../../../../tools/dev/database.ts';
import { startDatabaseBalancer } from '../../../../tools/dev/services/haproxy.ts';
import { ownerRole } from '../../../../tools/dev/services/postgres.ts';
import { type DatabaseCluster, startDatabaseCluster } from '../../harness/hosts/database-cluster.ts';
import { openHostNetwork } from '../../harness/hosts/host-network.ts';
import { until } from '../../harness/until.ts';
import { openStores, type Stores } from '../chaos/stores.ts';

const createOwner = (url: string, password: string): Promise<boolean> =>
  withClient(url, async (client) => {
    await client.query(`create role ${ownerRole} superuser login password '${password}'`);
    return true;
  });

/** A database on three hosts behind a load balancer on this machine, and a Redis. */
export async function startClusterStores(
  dir: string,
  options: { withDisks?: boolean },
): Promise<Stores & { cluster: DatabaseCluster }> {
  const network = await openHostNetwork();
  try {
    const cluster = await startDatabaseCluster(network, join(dir, 'hosts'), options);
    const [first, second, third] = cluster.hosts;
    const balancer = await startDatabaseBalancer({
      name: `haproxy-${network.address}`,
      dir,
      address: network.address,
      hosts: [first.address, second.address, third.address],
    });
    const place = `${network.address}:${balancer.port}/postgres`;
    await until(
      () =>
        createOwner(`postgres://postgres:${cluster.password}@${place}`, cluster.password).catch(() => false),
      'the load balancer has found the primary',
    );
    const stores = await openStores(dir, `postgres://${ownerRole}:${cluster.password}@${place}`, async () => {
      await balancer.stop();
      await network.close();
    });
    return { ...stores, cluster };
  } catch (error) {
    await network.close();
    throw error;
  }
}
