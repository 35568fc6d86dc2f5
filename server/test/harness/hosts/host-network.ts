import { setTimeout as sleep } from 'node:timers/promises';
import { endAndRemove, type ProcessRecord, removeRecord } from '../../../../tools/dev/process-records.ts';
import { type ServiceCommand, startService } from '../../../../tools/dev/services/service.ts';
import { claimNetwork } from '../networks/claim-network.ts';
import { commandInside, dropNamespace, ip, ownName, sweepNamespaces } from '../networks/namespaces.ts';

/**
 * Hosts in one network. Each host is a network namespace with its own address, link and processes, connected to a
 * switch. This machine is one of the hosts.
 */
export interface HostNetwork {
  /** The network in CIDR notation. */
  cidr: string;
  /** The address of this machine. */
  address: string;
  addHost(name: string): Promise<Host>;
  close(): Promise<void>;
}

export interface Host {
  name: string;
  address: string;
  /** Starts a service; `powerOn` starts it again. */
  start(service: HostService): Promise<void>;
  /** Kills a service. */
  kill(name: string): Promise<void>;
  /** Starts a service again that was killed. */
  startAgain(name: string): Promise<void>;
  /** Disconnects the host and kills all of its processes. */
  powerOff(): Promise<void>;
  /** Connects the host and starts its services, in the order in which they were started first. */
  powerOn(): Promise<void>;
  /** Disconnects the host; its processes continue. */
  cutOff(): Promise<void>;
  reconnect(): Promise<void>;
}

/** A service of a host, which runs as this user. */
export type HostService = Pick<ServiceCommand, 'name' | 'args' | 'command' | 'commandIncludes' | 'logFile'> &
  Pick<ServiceCommand, 'cwd' | 'ending' | 'isReady'> & {
    env?: Record<string, string>;
    user: { uid: number; gid: number };
  };

const ownNumber = 254;
const emptyTimeoutMs = 20_000;

export async function openHostNetwork(): Promise<HostNetwork> {
  if (process.getuid?.() !== 0)
    throw new Error('Only root can create network namespaces. Run these tests as root.');
  await sweepNamespaces();
  const switchName = ownName('switch');
  const hosts: (Host & { drop(): Promise<void> })[] = [];
  await ip('netns', 'add', switchName);
  const close = async (): Promise<void> => {
    await Promise.all(hosts.map((host) => host.drop()));
    await dropNamespace(switchName);
  };
  try {
    await ip('-n', switchName, 'link', 'add', 'bridge', 'type', 'bridge');
    await ip('-n', switchName, 'link', 'set', 'bridge', 'up');
    const prefix = await connectThisMachine(switchName);
    return {
      cidr: `${prefix}.0/24`,
      address: `${prefix}.${ownNumber}`,
      async addHost(name) {
        const host = await createHost(switchName, name, { prefix, number: hosts.length + 1 });
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
): Promise<Host & { drop(): Promise<void> }> {
  const namespace = ownName(name);
  const address = `${prefix}.${number}`;
  const port = `host${number}`;
  await ip('netns', 'add', namespace);
  await ip('-n', switchName, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  await ip('-n', switchName, 'link', 'set', port, 'master', 'bridge', 'up');
  await ip('-n', namespace, 'link', 'set', 'lo', 'up');
  await ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0');
  await ip('-n', namespace, 'link', 'set', 'eth0', 'up');

  const services = new Map<string, HostService>();
  const running = new Map<string, ProcessRecord>();
  const setLink = (state: 'up' | 'down') => ip('-n', switchName, 'link', 'set', port, state);
  const launch = async (service: HostService): Promise<void> => {
    running.set(service.name, await startInside(namespace, service));
  };
  const killAll = async (): Promise<void> => {
    await killProcesses(namespace);
    for (const record of running.values()) removeRecord(record);
    running.clear();
  };
  return {
    name,
    address,
    async start(service) {
      services.set(service.name, service);
      await launch(service);
    },
    async kill(service) {
      const record = running.get(service);
      if (!record) throw new Error(`${service} is not running on ${name}.`);
      running.delete(service);
      await endAndRemove(record, [{ signal: 'SIGKILL', waitMs: emptyTimeoutMs }]);
    },
    async startAgain(service) {
      const known = services.get(service);
      if (!known) throw new Error(`${name} has no service ${service}.`);
      await launch(known);
    },
    async powerOff() {
      await setLink('down');
      await killAll();
    },
    async powerOn() {
      await setLink('up');
      for (const service of services.values()) await launch(service);
    },
    cutOff: async () => void (await setLink('down')),
    reconnect: async () => void (await setLink('up')),
    async drop() {
      await killAll();
      await dropNamespace(namespace);
    },
  };
}

function startInside(
  namespace: string,
  { user, command, args, ...service }: HostService,
): Promise<ProcessRecord> {
  const asUser = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  return startService({
    ...service,
    name: `${service.name}-${namespace}`,
    ...commandInside(namespace, 'setpriv', ...asUser, command, ...args),
    outlives: false,
  });
}

/** Kills all processes of a namespace; those that are started meanwhile, too. */
async function killProcesses(namespace: string): Promise<void> {
  const deadline = Date.now() + emptyTimeoutMs;
  for (;;) {
    const pids = (await ip('netns', 'pids', namespace)).split('\n').filter(Boolean).map(Number);
    if (pids.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Processes ${pids.join(', ')} of ${namespace} do not end.`);
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    }
    await sleep(20);
  }
}
