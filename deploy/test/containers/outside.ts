import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimNetwork } from '../../../server/test/harness/networks/claim-network.ts';
import {
  dropNamespace,
  inside,
  ip,
  ownName,
  run,
  sweepNamespaces,
} from '../../../server/test/harness/networks/namespaces.ts';
import type { ContainerEngine } from '../../../tools/dev/containers/engine.ts';

export type Protocol = 'tcp' | 'udp';
export interface OpenPort {
  protocol: Protocol;
  port: number;
}

/** A machine in the same network segment as this one, without access to the loopback network of this machine. */
export interface Outside {
  /** Address of this machine as seen from there. */
  address: string;
  /** Returns the open ports of this machine that belong to containers of the engine; scans all ports. */
  scanInstallation(engine: ContainerEngine, protocol: Protocol): Promise<OpenPort[]>;
  /** Returns which of these ports of an address accept connections. */
  scan(address: string, ports: number[]): Promise<number[]>;
  /** Sends packets for this network to this machine. */
  routeTo(network: string): Promise<void>;
  close(): Promise<void>;
}

const ownNumber = 1;
const outsideNumber = 2;
const scanner = join(import.meta.dirname, 'scan-ports.ts');

export async function openOutside(): Promise<Outside> {
  await sweepNamespaces();
  const namespace = ownName('outside');
  await ip('netns', 'add', namespace);
  try {
    const { network, link } = await claimNetwork(namespace, 'eth0');
    const address = `${network}.${ownNumber}`;
    await ip('address', 'add', `${address}/24`, 'dev', link);
    await ip('link', 'set', link, 'up');
    await ip('-n', namespace, 'address', 'add', `${network}.${outsideNumber}/24`, 'dev', 'eth0');
    await ip('-n', namespace, 'link', 'set', 'eth0', 'up');
    const scan = async (...args: string[]): Promise<number[]> =>
      JSON.parse(await inside(namespace, process.execPath, scanner, ...args)) as number[];
    return {
      address,
      async scanInstallation(engine, protocol) {
        const open = await withoutReportLimit(() => scan(protocol, address));
        const others = await portsOfOthers(engine, protocol);
        return open.filter((port) => !others.has(port)).map((port) => ({ protocol, port }));
      },
      scan: (container, ports) => scan('tcp', container, ...ports.map(String)),
      async routeTo(destination) {
        await ip('-n', namespace, 'route', 'replace', destination, 'via', address);
      },
      async close() {
        await dropNamespace(namespace);
        // Removed together with the namespace, unless a process inside is still ending.
        await ip('link', 'delete', link).catch(() => undefined);
      },
    };
  } catch (error) {
    await dropNamespace(namespace);
    throw error;
  }
}

const reportLimits = '/proc/sys/net/ipv4/icmp_ratemask';

/** By default Linux reports one closed UDP port per second to each address. */
async function withoutReportLimit<T>(work: () => Promise<T>): Promise<T> {
  const before = readFileSync(reportLimits, 'utf8');
  writeFileSync(reportLimits, '0');
  try {
    return await work();
  } finally {
    writeFileSync(reportLimits, before);
  }
}

/**
 * Returns the ports on which only programs outside of the engine's containers listen, such as those of other tests. A
 * port without a known listener counts as one of a container.
 */
async function portsOfOthers(engine: ContainerEngine, protocol: Protocol): Promise<Set<number>> {
  const ids = (await engine.must(['ps', '--quiet', '--no-trunc'])).split('\n').filter(Boolean);
  const belongs = (pid: string): boolean => {
    const command = readProcess(pid, 'comm').trim();
    const group = readProcess(pid, 'cgroup');
    return command === 'docker-proxy' || ids.some((id) => group.includes(id));
  };
  const listed = await run('ss', ['--no-header', '--listening', '--numeric', '--processes', `--${protocol}`]);
  const sockets = listed.split('\n').flatMap((line) => {
    const port = /^\S+\s+\S+\s+\S+\s+\S+:(\d+)\s/.exec(line)?.[1];
    return port === undefined ? [] : [{ port: Number(port), pids: pidsIn(line) }];
  });
  const ours = sockets.filter(({ pids }) => pids.length === 0 || pids.some(belongs));
  const oursByPort = new Set(ours.map(({ port }) => port));
  return new Set(sockets.map(({ port }) => port).filter((port) => !oursByPort.has(port)));
}

const pidsIn = (line: string): string[] => [...line.matchAll(/pid=(\d+)/g)].map(([, pid]) => pid ?? '');

function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has ended since it was listed.
    return '';
  }
}
