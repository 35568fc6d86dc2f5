import { chownSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../../../tools/dev/paths.ts';
import { politeThenKill } from '../../../../tools/dev/process-identity.ts';
import { capture } from '../../../../tools/dev/run-command.ts';
import {
  accessibleFolder,
  findPostgresPrograms,
  postgresUser,
} from '../../../../tools/dev/services/postgres-programs.ts';
import { renderFolder } from '../../../../tools/dev/voice/render.ts';
import { ownName } from '../networks/namespaces.ts';
import { until } from '../until.ts';
import type { Host, HostNetwork } from './host-network.ts';
import { readEnvironment } from './unit.ts';

/** PostgreSQL on three hosts with the configuration of deploy/patroni. */
export interface DatabaseCluster {
  hosts: [Host, Host, Host];
  password: string;
  /** The hosts as a running Patroni reports them. */
  members(): Promise<Member[]>;
  /** Waits for a primary and a synchronous standby, and returns the primary's host. */
  primary(): Promise<Host>;
  /** Returns the host of the synchronous standby. */
  synchronousStandby(): Promise<Host>;
  /** Waits until all three hosts run: one primary, two standbys that stream. */
  untilWhole(): Promise<void>;
  /** Moves the primary to another host, as planned maintenance does. */
  switchOver(): Promise<void>;
  filesOf(host: Host): DatabaseFiles;
}

export interface Member {
  name: string;
  role: 'leader' | 'sync_standby' | 'replica';
  state: string;
  /** Bytes behind the primary. */
  lag?: number | 'unknown';
}

const apiPort = 8008;
const answerTimeoutMs = 1_000;

export interface ClusterOptions {
  /** Variables that name the configuration of pgBackRest on a host whose files are in `own`; default: no backups. */
  prepareBackups?(own: string, host: Host): Record<string, string>;
  /** Whether each host has its own file system, which can be frozen. */
  withDisks?: boolean;
}

export async function startDatabaseCluster(
  network: HostNetwork,
  dir: string,
  { prepareBackups, withDisks = false }: ClusterOptions = {},
): Promise<DatabaseCluster> {
  const user = requireUser();
  const logs = accessibleFolder(dir, user);
  const folder = withDisks ? join(logs, ownName('disks')) : logs;
  const add = (name: string): Promise<Host> =>
    network.addHost(name, withDisks ? { diskAt: join(folder, name) } : {});
  const hosts: [Host, Host, Host] = [await add('db1'), await add('db2'), await add('db3')];
  const password = 'a-password-for-tests';
  for (const host of hosts) {
    const own = join(folder, host.name);
    renderFolder(join(root, 'deploy/patroni'), join(own, 'etc'), {
      ...values(network, hosts, host, own, password),
      ARCHIVE_MODE: prepareBackups ? 'on' : 'off',
    });
    for (const name of ['.', 'etc', 'etc/patroni.yml']) chownSync(join(own, name), user.uid, user.gid);
  }
  const environments = new Map(
    hosts.map((host) => [host.name, prepareBackups?.(join(folder, host.name), host) ?? {}]),
  );
  return await runDatabaseCluster(hosts, password, ({ name }) => ({
    own: join(folder, name),
    environment: environments.get(name) ?? {},
    patroniFile: join(folder, name, 'etc/patroni.yml'),
    etcdFile: join(folder, name, 'etc/etcd.env'),
    dataFolders: [join(folder, name, 'data'), join(folder, name, 'etcd')],
    // Not on the disk of the host, so that a log that waits for the disk is not what stops a service.
    logs: join(logs, 'logs', name),
  }));
}

/** Files of one host of a cluster. `own` belongs to PostgreSQL's user. */
export interface DatabaseFiles {
  own: string;
  patroniFile: string;
  etcdFile: string;
  /** Folders of PostgreSQL and etcd, which they create. */
  dataFolders: [postgres: string, etcd: string];
  /** Default: `own`. */
  logs?: string;
  /** Further variables of Patroni and PostgreSQL. */
  environment?: Record<string, string>;
}

/** Starts the configured hosts, and waits until all of them run. */
export async function runDatabaseCluster(
  hosts: [Host, Host, Host],
  password: string,
  filesOf: (host: Host) => DatabaseFiles,
): Promise<DatabaseCluster> {
  await Promise.all(hosts.map((host) => startEtcd(host, filesOf(host))));
  // The first Patroni creates the cluster; others copy it.
  for (const host of hosts) await startPatroni(host, filesOf(host));
  const cluster = follow(hosts, password, filesOf);
  await cluster.untilWhole();
  return cluster;
}

function values(
  network: HostNetwork,
  hosts: [Host, Host, Host],
  { name, address }: Host,
  own: string,
  password: string,
): Record<string, string> {
  mkdirSync(own, { recursive: true });
  const [first, second, third] = hosts;
  return {
    NAME: name,
    ADDRESS: address,
    NETWORK: network.cidr,
    DATABASE_1: first.address,
    DATABASE_1_NAME: first.name,
    DATABASE_2: second.address,
    DATABASE_2_NAME: second.name,
    DATABASE_3: third.address,
    DATABASE_3_NAME: third.name,
    DATA: join(own, 'data'),
    ETCD_DATA: join(own, 'etcd'),
    STATE: own,
    PROGRAMS: findPostgresPrograms() ?? '',
    MAX_CONNECTIONS: '200',
    SHARED_BUFFERS: '128MB',
    WATCHDOG: 'off',
    REST_PASSWORD: password,
    SUPERUSER_PASSWORD: password,
    REPLICATION_PASSWORD: password,
    REWIND_PASSWORD: password,
  };
}

function requireUser(): { uid: number; gid: number } {
  const user = postgresUser();
  if (!user) throw new Error('The hosts of a cluster are started by root.');
  return user;
}

export const startEtcd = (host: Host, { own, etcdFile, logs = own }: DatabaseFiles): Promise<void> =>
  host.start({
    name: 'etcd',
    command: '/usr/bin/etcd',
    args: [],
    env: readEnvironment(etcdFile),
    commandIncludes: 'etcd',
    logFile: join(logs, 'etcd.log'),
    cwd: own,
    ending: politeThenKill,
    user: requireUser(),
    // A member answers only once a majority runs, so the hosts start at the same time.
    isReady: () => answersOk(`http://${host.address}:2379/health`),
  });

export const startPatroni = (
  host: Host,
  { own, patroniFile: file, logs = own, environment = {} }: DatabaseFiles,
): Promise<void> =>
  host.start({
    name: 'patroni',
    env: environment,
    // Debian's own Python has Patroni's libraries; another one in PATH may not.
    command: '/usr/bin/python3',
    // As in the addition to Debian's unit.
    args: [join(dirname(file), 'disk-check.py'), file],
    commandIncludes: file,
    logFile: join(logs, 'patroni.log'),
    cwd: own,
    ending: politeThenKill,
    user: requireUser(),
    isReady: () => answersOk(`http://${host.address}:${apiPort}/liveness`),
  });

function follow(
  hosts: [Host, Host, Host],
  password: string,
  filesOf: (host: Host) => DatabaseFiles,
): DatabaseCluster {
  const members = async (): Promise<Member[]> => {
    const answers = await Promise.all(
      hosts.map(({ address }) => fetchJson<{ members: Member[] }>(`http://${address}:${apiPort}/cluster`)),
    );
    return answers.find((answer) => answer !== undefined)?.members ?? [];
  };
  const hostOf = async (role: Member['role']): Promise<Host | undefined> => {
    const member = (await members()).find((each) => each.role === role && each.state !== 'stopped');
    return hosts.find(({ name }) => name === member?.name);
  };
  const synchronousStandby = () => until(() => hostOf('sync_standby'), 'there is a synchronous standby');
  return {
    hosts,
    password,
    filesOf,
    members,
    synchronousStandby,
    async primary() {
      await synchronousStandby();
      return await until(() => hostOf('leader'), 'there is a primary');
    },
    async untilWhole() {
      await until(async () => {
        const all = await members();
        const roles = all
          .map(({ role }) => role)
          .toSorted()
          .join();
        return (
          roles === 'leader,replica,sync_standby' &&
          all.every(({ state }) => ['running', 'streaming'].includes(state))
        );
      }, 'the cluster has a primary and two standbys');
    },
    async switchOver() {
      const [from, to] = [
        await until(() => hostOf('leader'), 'there is a primary'),
        await synchronousStandby(),
      ];
      const file = filesOf(from).patroniFile;
      const { exitCode, output } = await capture('/usr/bin/python3', [
        '/usr/bin/patronictl',
        ...['-c', file, 'switchover', 'disca', '--master', from.name, '--candidate', to.name, '--force'],
      ]);
      if (exitCode !== 0) throw new Error(`patronictl switchover failed: ${output}`);
    },
  };
}

async function answersOk(url: string): Promise<boolean> {
  return (await fetchJson(url)) !== undefined;
}

async function fetchJson<T>(url: string): Promise<T | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerTimeoutMs) });
    const text = await response.text();
    return response.ok ? ((text === '' ? {} : JSON.parse(text)) as T) : undefined;
  } catch {
    return undefined;
  }
}
