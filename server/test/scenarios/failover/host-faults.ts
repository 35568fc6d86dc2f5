import type { DatabaseCluster } from '../../harness/hosts/database-cluster.ts';

/** A fault of a database host. Returns a function that repairs it. */
type HostFault = (cluster: DatabaseCluster) => Promise<() => Promise<void>>;

export const hostFaults = {
  'planned switchover': async (cluster) => {
    await cluster.switchOver();
    return async () => undefined;
  },
  'power loss of the primary': async (cluster) => {
    const host = await cluster.primary();
    await host.powerOff();
    return () => host.powerOn();
  },
  'power loss of the synchronous standby': async (cluster) => {
    const host = await cluster.synchronousStandby();
    await host.powerOff();
    return () => host.powerOn();
  },
  'primary cut off from the network': async (cluster) => {
    const host = await cluster.primary();
    await host.cutOff();
    return () => host.reconnect();
  },
} satisfies Record<string, HostFault>;

export type HostFaultName = keyof typeof hostFaults;
