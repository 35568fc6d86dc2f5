import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from '../../../../tools/dev/process-identity.ts';
import {
  endAndRemove,
  findRecorded,
  type ProcessRecord,
  removeRecord,
} from '../../../../tools/dev/process-records.ts';
import { type ServiceCommand, startService } from '../../../../tools/dev/services/service.ts';
import { claimNetwork } from '../networks/claim-network.ts';
import {
  commandInside,
  dropNamespace,
  inside,
  ip,
  ownName,
  sweepNamespaces,
} from '../networks/namespaces.ts';
import { clockEnvironment, createHostClock, type HostClock, removeClockMemory } from './host-clock.ts';
import { createHostDisk, type HostDisk, sweepHostDisks } from './host-disk.ts';
import { insertSlowLink, type LinkQuality } from './slow-link.ts';

/**
 * Hosts in one network. Each host is a network namespace with its own address, link and processes, connected to a
 * switch. This machine is one of the hosts.
 */
export interface HostNetwork {
  /** The network in CIDR notation. */
  cidr: string;
  /** The address of this machine. */
  address: string;
  addHost(name: string, options?: HostOptions): Promise<Host>;
  close(): Promise<void>;
}

export interface HostOptions {
  /** Last numbers of further addresses, above 100; the first address is chosen. */
  numbers?: number[];
  /** Whether `moveClock` is possible. Reading the clock is then slower. */
  hasClock?: boolean;
  /** Folder where the host's own file system is mounted, without which `freezeDisk` is not possible. */
  diskAt?: string;
}

export interface Host {
  name: string;
  address: string;
  /** Starts a service; `powerOn` starts it again. */
  start(service: HostService): Promise<void>;
  /** Kills a service. */
  kill(name: string): Promise<void>;
  /** Stops a service as its supervisor does, with time to finish its work. */
  stop(name: string): Promise<void>;
  /** Starts a service again that was killed. */
  startAgain(name: string): Promise<void>;
  /** Disconnects the host and kills all of its processes. */
  powerOff(): Promise<void>;
  /** Connects the host and starts its services, in the order in which they were started first. */
  powerOn(): Promise<void>;
  /** Disconnects the host; its processes continue. */
  cutOff(): Promise<void>;
  reconnect(): Promise<void>;
  /** Delays and drops what the host sends and receives. */
  slowDown(quality: LinkQuality): Promise<void>;
  restoreSpeed(): Promise<void>;
  /** Sets the clock of the host's processes to this many seconds from the real time; etcd keeps the real time. */
  moveClock(offsetSeconds: number): void;
  /** Folder of the library and the offset of the host's clock, if it has one. */
  clockFolder: string | undefined;
  /** Makes every write to the host's file system wait. */
  freezeDisk(): Promise<void>;
  thawDisk(): Promise<void>;
  /** Runs a command on the host to its end and returns its output. */
  run(command: string, ...args: string[]): Promise<string>;
}

/** A service of a host, which runs as this user; default: root. */
export type HostService = Pick<ServiceCommand, 'name' | 'args' | 'command' | 'commandIncludes' | 'logFile'> &
  Pick<ServiceCommand, 'cwd' | 'ending' | 'isReady'> & {
    env?: Record<string, string>;
    user?: { uid: number; gid: number };
    /** Whether it is started again when it ends, as by `Restart=always` of its unit. */
    restarts?: boolean;
    /** Whether the command itself loads the library of the host's clock, as in another root file system. */
    loadsClock?: boolean;
  };

const ownNumber = 254;
const emptyTimeoutMs = 20_000;
const restartPauseMs = 1_000;
/** Ends hanging tests only. */
const maxStarts = 60;

export async function openHostNetwork(): Promise<HostNetwork> {
  if (process.getuid?.() !== 0)
    throw new Error('Only root can create network namespaces. Run these tests as root.');
  await sweepNamespaces();
  await sweepHostDisks();
  const switchName = ownName('switch');
  const hosts: (Host & { drop(): Promise<void> })[] = [];
  let number = 0;
  await ip('netns', 'add', switchName);
  const close = async (): Promise<void> => {
    await Promise.all(hosts.splice(0).map((host) => host.drop()));
    await dropNamespace(switchName);
  };
  try {
    await ip('-n', switchName, 'link', 'add', 'bridge', 'type', 'bridge');
    await ip('-n', switchName, 'link', 'set', 'bridge', 'up');
    const prefix = await connectThisMachine(switchName);
    return {
      cidr: `${prefix}.0/24`,
      address: `${prefix}.${ownNumber}`,
      async addHost(name, options = {}) {
        number += 1;
        const host = await createHost(switchName, name, { prefix, number }, options);
        hosts.push(host);
        return host;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Connects this machine to the switch; returns the first three numbers of the addresses. */
async function connectThisMachine(switchName: string): Promise<string> {
  const { network, link } = await claimNetwork(switchName, 'machine');
  await ip('address', 'add', `${network}.${ownNumber}/24`, 'dev', link);
  await ip('link', 'set', link, 'up');
  await ip('-n', switchName, 'link', 'set', 'machine', 'master', 'bridge', 'up');
  return network;
}

async function createHost(
  switchName: string,
  name: string,
  { prefix, number }: { prefix: string; number: number },
  { numbers = [], hasClock = false, diskAt }: HostOptions,
): Promise<Host & { drop(): Promise<void> }> {
  const namespace = ownName(name);
  const address = `${prefix}.${number}`;
  const port = `host${number}`;
  await ip('netns', 'add', namespace);
  await ip('-n', switchName, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  await ip('-n', switchName, 'link', 'set', port, 'master', 'bridge', 'up');
  await ip('-n', namespace, 'link', 'set', 'lo', 'up');
  for (const each of [number, ...numbers])
    await ip('-n', namespace, 'address', 'add', `${prefix}.${each}/24`, 'dev', 'eth0');
  await ip('-n', namespace, 'link', 'set', 'eth0', 'up');
  const clock = hasClock ? createHostClock() : undefined;
  const disk = diskAt === undefined ? undefined : await createHostDisk(diskAt);

  const setLink = (state: 'up' | 'down') => ip('-n', switchName, 'link', 'set', port, state);
  const { killAll, ...services } = runServices(namespace, name, clock, disk);
  let removeSlowLink: (() => Promise<void>) | undefined;
  const required = <T>(part: T | undefined, option: string): T => {
    if (part === undefined) throw new Error(`${name} was added without the option ${option}.`);
    return part;
  };
  return {
    name,
    address,
    ...services,
    async powerOff() {
      await setLink('down');
      await killAll();
    },
    async powerOn() {
      await setLink('up');
      await services.startAll();
    },
    cutOff: async () => void (await setLink('down')),
    reconnect: async () => void (await setLink('up')),
    async slowDown(quality) {
      await removeSlowLink?.();
      removeSlowLink = await insertSlowLink(switchName, port, quality);
    },
    async restoreSpeed() {
      await removeSlowLink?.();
      removeSlowLink = undefined;
    },
    clockFolder: clock?.folder,
    moveClock: (offsetSeconds) => required(clock, 'hasClock').set(offsetSeconds),
    freezeDisk: () => required(disk, 'diskAt').freeze(),
    thawDisk: () => required(disk, 'diskAt').thaw(),
    run: (command, ...args) => inside(namespace, command, ...args),
    async drop() {
      await killAll();
      await removeSlowLink?.();
      await disk?.drop();
      clock?.drop();
      await dropNamespace(namespace);
    },
  };
}

/** Starts and kills the services of one host. */
function runServices(namespace: string, hostName: string, clock?: HostClock, disk?: HostDisk) {
  const services = new Map<string, HostService>();
  const running = new Map<string, ProcessRecord>();
  let hasPower = true;
  const launch = async (service: HostService): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const record = await startInside(namespace, service, clock);
        running.set(service.name, record);
        if (service.restarts) void restartWhenEnded(service, record);
        return;
      } catch (error) {
        if (!service.restarts || !hasPower || attempt === maxStarts) throw error;
        await endRemains(service, namespace);
        await sleep(restartPauseMs);
      }
    }
  };
  const restartWhenEnded = async (service: HostService, record: ProcessRecord): Promise<void> => {
    while (isRunning(record.process)) await sleep(restartPauseMs, undefined, { ref: false });
    // A service that was killed on purpose stays down.
    if (!hasPower || running.get(service.name) !== record) return;
    await endRemains(service, namespace);
    await launch(service).catch(() => undefined);
  };
  /** Returns a running service, which is not started again when it ends. */
  const take = (service: string): ProcessRecord => {
    const record = running.get(service);
    if (!record) throw new Error(`${service} is not running on ${hostName}.`);
    running.delete(service);
    return record;
  };
  return {
    async start(service: HostService) {
      services.set(service.name, service);
      await launch(service);
    },
    async startAll() {
      hasPower = true;
      for (const service of services.values()) await launch(service);
    },
    async kill(service: string) {
      const record = take(service);
      const wholeGroup = record.ending.at(-1)?.wholeGroup ?? false;
      await endAndRemove(record, [{ signal: 'SIGKILL', waitMs: emptyTimeoutMs, wholeGroup }]);
      if (clock) removeClockMemory(record.process.pid);
    },
    async stop(service: string) {
      const record = take(service);
      await endAndRemove(record);
      if (clock) removeClockMemory(record.process.pid);
    },
    async startAgain(service: string) {
      const known = services.get(service);
      if (!known) throw new Error(`${hostName} has no service ${service}.`);
      await launch(known);
    },
    async killAll() {
      hasPower = false;
      const pids = await killProcesses(namespace, disk);
      if (clock) for (const pid of pids) removeClockMemory(pid);
      for (const record of running.values()) removeRecord(record);
      running.clear();
    },
  };
}

function startInside(
  namespace: string,
  { user = { uid: 0, gid: 0 }, command, args, loadsClock = false, restarts: _, ...service }: HostService,
  clock: HostClock | undefined,
): Promise<ProcessRecord> {
  const asUser = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  // Set by `env` for the service alone: a program before it would create the library's shared memory as root.
  const withClock = clock && !loadsClock ? ['env', ...environmentArguments(clock)] : [];
  return startService({
    ...service,
    name: recordName(service, namespace),
    ...commandInside(namespace, 'setpriv', ...asUser, ...withClock, command, ...args),
    outlives: false,
  });
}

const recordName = ({ name }: Pick<HostService, 'name'>, namespace: string): string => `${name}-${namespace}`;

/** Ends the processes that a service leaves behind when it ends, as systemd does: some of Kamailio's keep its ports. */
async function endRemains(service: HostService, namespace: string): Promise<void> {
  const record = findRecorded(recordName(service, namespace));
  if (record) await endAndRemove(record, [{ signal: 'SIGKILL', waitMs: emptyTimeoutMs, wholeGroup: true }]);
}

const environmentArguments = ({ folder }: HostClock): string[] =>
  Object.entries(clockEnvironment(folder)).map(([name, value]) => `${name}=${value}`);

/** Kills all processes of a namespace; those that are started meanwhile, too. Returns their ids. */
async function killProcesses(namespace: string, disk?: HostDisk): Promise<Set<number>> {
  const killed = new Set<number>();
  const deadline = Date.now() + emptyTimeoutMs;
  for (;;) {
    const pids = (await ip('netns', 'pids', namespace)).split('\n').filter(Boolean).map(Number);
    for (const pid of pids) {
      killed.add(pid);
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    }
    // A process that waits for a frozen file system ends only when it is thawed.
    await disk?.thaw();
    if (pids.length === 0) return killed;
    if (Date.now() > deadline) throw new Error(`Processes ${pids.join(', ')} of ${namespace} do not end.`);
    await sleep(20);
  }
}
