import type { DatabaseCluster } from '../../harness/hosts/database-cluster.ts';
import type { Host } from '../../harness/hosts/host-network.ts';
import { replaceMachine } from './replace-machine.ts';

export interface HostFault {
  /** Causes the fault; returns a function that repairs it. */
  cause(cluster: DatabaseCluster): Promise<() => Promise<void>>;
  /** What `disca doctor` reports while the fault lasts. */
  doctor: RegExp;
  /** The check of `disca doctor`; default: `replication`. */
  part?: string;
  /** The longest time without an answered call, if it is shorter than the fault. */
  longestGapMs?: number;
  /** How long the fault lasts at least. */
  lastsMs?: number;
}

/** Longer than requests wait. */
const outageMs = 25_000;

const standbyMissing = /^warning: 1 of 2 standbys/;
const databaseGone = /^fault/;

export const hostFaults = {
  'planned switchover': {
    async cause(cluster) {
      await cluster.switchOver();
      return async () => undefined;
    },
    doctor: /^ok: 2 standbys/,
  },
  'power loss of the primary': {
    cause: async (cluster) => losePower([await cluster.primary()]),
    doctor: standbyMissing,
  },
  'power loss of the synchronous standby': {
    cause: async (cluster) => losePower([await cluster.synchronousStandby()]),
    doctor: standbyMissing,
  },
  'loss of the primary with its disk': {
    async cause(cluster) {
      const lost = await cluster.primary();
      await lost.powerOff();
      return () => replaceMachine(cluster, lost);
    },
    doctor: standbyMissing,
  },
  'primary cut off from the network': {
    async cause(cluster) {
      const host = await cluster.primary();
      await host.cutOff();
      return () => host.reconnect();
    },
    doctor: standbyMissing,
  },
  'etcd lost on two hosts': {
    async cause(cluster) {
      const [first, second] = cluster.hosts;
      await Promise.all([first, second].map((host) => host.kill('etcd')));
      return async () => {
        await Promise.all([first, second].map((host) => host.startAgain('etcd')));
      };
    },
    doctor: databaseGone,
    lastsMs: outageMs,
  },
  'power loss of both standbys': {
    async cause(cluster) {
      const primary = await cluster.primary();
      return await losePower(cluster.hosts.filter((host) => host !== primary));
    },
    doctor: databaseGone,
    lastsMs: outageMs,
  },
  // Longer than the disk check and the failover take.
  'frozen disk of the primary': {
    async cause(cluster) {
      const host = await cluster.primary();
      await host.freezeDisk();
      return () => host.thawDisk();
    },
    part: 'database disks',
    doctor: /^fault: the disk of \S+ has completed no write for/,
    lastsMs: 60_000,
    longestGapMs: 45_000,
  },
} satisfies Record<string, HostFault>;

async function losePower(hosts: Host[]): Promise<() => Promise<void>> {
  await Promise.all(hosts.map((host) => host.powerOff()));
  return async () => {
    await Promise.all(hosts.map((host) => host.powerOn()));
  };
}

export type HostFaultName = keyof typeof hostFaults;
