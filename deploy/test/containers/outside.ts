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
export interface FoundPort extends OpenPort {
  /** Names of the programs that listen on it. */
  programs: string[];
}

/** A machine in the same network segment as this one, without access to the loopback network of this machine. */
export interface Outside {
  /** Address of this machine as seen from there. */
  address: string;
  /** Returns the open ports of this machine that belong to containers of the engine; scans all ports. */
  scanInstallation(engine: ContainerEngine, protocol: Protocol): Promise<FoundPort[]>;
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
        const listeners = await findListeners(engine, protocol);
        return (
          open
            .map((port) => ({ protocol, port, on: listeners.filter((each) => each.port === port) }))
            // A port without a listener on this machine is forwarded to a container.
            .filter(({ on }) => on.length === 0 || on.some(({ isOurs }) => isOurs))
            .map(({ on, ...found }) => ({ ...found, programs: on.flatMap(({ programs }) => programs) }))
        );
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

interface Listener {
  port: number;
  programs: string[];
  /** Whether it runs in a container of the engine or forwards to one; others are of other tests, or of this machine. */
  isOurs: boolean;
}

async function findListeners(engine: ContainerEngine, protocol: Protocol): Promise<Listener[]> {
  const ids = (await engine.must(['ps', '--quiet', '--no-trunc'])).split('\n').filter(Boolean);
  const programOf = (pid: string): string => readProcess(pid, 'comm').trim();
  const isOurs = (pid: string): boolean =>
    programOf(pid) === 'docker-proxy' || ids.some((id) => readProcess(pid, 'cgroup').includes(id));
  const listed = await run('ss', ['--no-header', '--listening', '--numeric', '--processes', `--${protocol}`]);
  return listed.split('\n').flatMap((line) => {
    const port = /^\S+\s+\S+\s+\S+\s+\S+:(\d+)\s/.exec(line)?.[1];
    const pids = pidsIn(line);
    return port === undefined
      ? []
      : [{ port: Number(port), programs: pids.map(programOf), isOurs: pids.some(isOurs) }];
  });
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
