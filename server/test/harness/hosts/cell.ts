import { chownSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import pg from 'pg';
import { databaseUrl, edgePorts } from '../../../../deploy/inventory/host-files.ts';
import { hostsOf, type Inventory, type InventoryHost } from '../../../../deploy/inventory/inventory.ts';
import { renderInventory } from '../../../../deploy/inventory/render.ts';
import type { Secrets } from '../../../../deploy/inventory/secrets.ts';
import { startVoiceSimulator, type VoiceSimulator } from '../../../../simulator/voice/index.ts';
import { withClient } from '../../../../tools/dev/database.ts';
import { inDev, root } from '../../../../tools/dev/paths.ts';
import { politeThenKill } from '../../../../tools/dev/process-identity.ts';
import { endAndRemove } from '../../../../tools/dev/process-records.ts';
import { capture } from '../../../../tools/dev/run-command.ts';
import { accessibleFolder, postgresUser } from '../../../../tools/dev/services/postgres-programs.ts';
import { startService } from '../../../../tools/dev/services/service.ts';
import { certificateAuthority } from '../../../../tools/dev/voice/certificates.ts';
import { untilControlled } from '../deployments/many-nodes.ts';
import { insertDeck, type OwnerQuery } from '../fixtures/billing-rows.ts';
import { findSnippet } from '../manual.ts';
import { ownName } from '../networks/namespaces.ts';
import { until } from '../until.ts';
import {
  type CellHostName,
  type CellSettings,
  cellInventory,
  cellSecrets,
  furtherNumbers,
  mailPorts,
} from './cell-inventory.ts';
import {
  backupEnvironment,
  createRepository,
  objectStore,
  prepareBackupFolders,
  writeStorageAuthority,
} from './cell-storage.ts';
import { type DatabaseCluster, runDatabaseCluster } from './database-cluster.ts';
import { type Host, type HostNetwork, type HostOptions, openHostNetwork } from './host-network.ts';
import {
  edge,
  haproxy,
  keepalived,
  media,
  nodeHaproxy,
  program,
  redis,
  relay,
  runOnce,
} from './host-services.ts';
import { prepareRelease } from './release.ts';

/** A whole cell, each machine a host of its own network, configured by deploy/inventory. */
export interface HostCell {
  dir: string;
  network: HostNetwork;
  inventory: Inventory;
  host(name: CellHostName): Host;
  /** The folder with the files of a host. */
  folderOf(host: { name: string }): string;
  /** URL of the API at the shared address. Requests of this process trust its certificate. */
  apiUrl: string;
  /** Page with the mail that the cell sends. */
  mailUrl: string;
  ownerUrl: string;
  serviceUrl: string;
  query: OwnerQuery;
  cluster: DatabaseCluster;
  engines: { simulator: VoiceSimulator; edges: { address: string }[] };
  /** Stops everything; with `keepsLogs`, the logs are kept for inspection. */
  stop(keepsLogs?: boolean): Promise<void>;
}

export interface HostCellOptions extends CellSettings {
  /** Hosts whose clock can be moved. */
  withClock?: CellHostName[];
  /** Hosts whose disk can be frozen. */
  withDisk?: CellHostName[];
  /** Sources of an earlier release for our programs, edges and media nodes; default: this checkout. */
  sources?: string;
  onStep?(what: string): void;
}

const pricePerMinute = 0.6;

export async function startHostCell(options: HostCellOptions = {}): Promise<HostCell> {
  const user = postgresUser();
  if (!user) throw new Error('The hosts of a cell are started by root.');
  const dir = accessibleFolder(inDev('cell', ownName('cell')), user);
  const network = await openHostNetwork();
  const onClose: (() => Promise<unknown>)[] = [];
  const stop = async (keepsLogs = false): Promise<void> => {
    for (const close of onClose.splice(0).toReversed()) await close();
    await network.close();
    if (!keepsLogs) rmSync(dir, { recursive: true, force: true });
  };
  try {
    return { ...(await startAll(dir, network, options, onClose)), stop };
  } catch (error) {
    await stop(true);
    throw error;
  }
}

async function startAll(
  dir: string,
  network: HostNetwork,
  { onStep = () => undefined, withClock, withDisk, sources, ...settings }: HostCellOptions,
  onClose: (() => Promise<unknown>)[],
): Promise<Omit<HostCell, 'stop'>> {
  const inventory = cellInventory(network, dir, settings);
  const folderOf = ({ name }: { name: string }): string => join(dir, 'hosts', name);
  const hosts = new Map<string, Host>();
  for (const described of inventory.hosts)
    hosts.set(
      described.name,
      await addHost(network, described, {
        hasClock: withClock?.includes(described.name as CellHostName) ?? false,
        ...(withDisk?.includes(described.name as CellHostName) && { diskAt: folderOf(described) }),
      }),
    );
  const find = (name: string): Host => {
    const host = hosts.get(name);
    if (!host) throw new Error(`There is no host ${name}.`);
    return host;
  };
  const secrets = await cellSecrets(join(dir, 'secrets'), inventory, network);
  await writeStorageAuthority(inventory);
  renderInventory({
    inventory,
    secrets,
    target: join(dir, 'hosts'),
    at: (name, path) => join(folderOf({ name }), path),
  });
  const of = (role: InventoryHost['role']): Host[] => hostsOf(inventory, role).map(({ name }) => find(name));

  onStep('starting the load balancers, the object store and the database');
  const [cluster] = await Promise.all([
    startDatabases(of('database') as [Host, Host, Host], secrets, folderOf),
    ...of('balancer').map((host) => startBalancer(host, folderOf(host))),
    ...of('storage').map(async (host) => host.start(await objectStore(host, folderOf(host), secrets))),
  ]);
  const ownerUrl = databaseUrl(inventory, 'disca_owner', secrets('owner_password'));
  await createDatabase(inventory, secrets, dir);
  onStep('preparing the database and the repository of its backups');
  const [firstApp] = of('app');
  await Promise.all([
    createRepository(cluster, folderOf),
    ...(sources && firstApp
      ? [prepareRelease(firstApp, folderOf(firstApp), { sources, inventory, secrets })]
      : of('app').map((host) => runOnce(host, 'prepare', folderOf(host)))),
  ]);
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 2 });
  pool.on('error', () => undefined);
  onClose.push(() => pool.end());
  const query: OwnerQuery = async (text, values = []) => (await pool.query(text, values)).rows;
  await addCarrier(query, `${network.address}:${edgePorts.sip}`);

  onStep('starting api, worker, voice, edges, relays, media nodes and the simulator');
  const [simulator] = await Promise.all([
    startSimulator(dir, network.address, onClose),
    startMail(dir, network.address, onClose),
    ...of('app').flatMap((host) =>
      (['api', 'worker', 'voice'] as const).map((name) =>
        host.start(program(host, name, folderOf(host), sources)),
      ),
    ),
    ...hostsOf(inventory, 'edge').map(async (described) => {
      const host = find(described.name);
      await host.start(edge(host, folderOf(host), described.publicAddress, sources));
      await host.start(relay(described, folderOf(host)));
    }),
    ...of('media').map(async (host) => {
      await host.start(nodeHaproxy(host, folderOf(host)));
      await host.start(media(host, folderOf(host), sources));
      await host.start(program(host, 'shipper', folderOf(host), sources));
    }),
  ]);
  await untilControlled(
    query,
    hostsOf(inventory, 'media').map(({ name }) => name),
  );
  await trustOwnAuthority();
  return {
    dir,
    network,
    inventory,
    host: find,
    folderOf,
    apiUrl: `https://${inventory.apiName}/api/v1`,
    mailUrl: `http://${network.address}:${mailPorts.http}`,
    ownerUrl,
    serviceUrl: databaseUrl(inventory, 'disca_app', secrets('app_password')),
    query,
    cluster,
    engines: {
      simulator,
      edges: hostsOf(inventory, 'edge').map((each) => ({
        address: `${each.publicAddress}:${edgePorts.sip}`,
      })),
    },
  };
}

async function addHost(network: HostNetwork, described: InventoryHost, options: HostOptions): Promise<Host> {
  const host = await network.addHost(described.name, { ...options, numbers: furtherNumbers(described) });
  if (host.address !== described.address) throw new Error(`${host.name} has the address ${host.address}.`);
  return host;
}

/** Makes the folders of PostgreSQL's user, as the Debian packages do, and starts the hosts. */
function startDatabases(
  hosts: [Host, Host, Host],
  secrets: Secrets,
  folderOf: (host: Host) => string,
): Promise<DatabaseCluster> {
  const user = postgresUser() ?? { uid: 0, gid: 0 };
  for (const host of hosts) {
    const at = (path: string): string => join(folderOf(host), path);
    for (const folder of ['var/lib/postgresql/15', 'var/lib/etcd', 'run/postgresql']) {
      mkdirSync(at(folder), { recursive: true });
      chownSync(at(folder), user.uid, user.gid);
    }
    chownSync(at('etc/patroni/config.yml'), user.uid, user.gid);
    prepareBackupFolders(folderOf(host), user);
  }
  return runDatabaseCluster(hosts, secrets('superuser_password'), (host) => ({
    own: join(folderOf(host), 'run/postgresql'),
    patroniFile: join(folderOf(host), 'etc/patroni/config.yml'),
    etcdFile: join(folderOf(host), 'etc/default/etcd'),
    dataFolders: [
      join(folderOf(host), 'var/lib/postgresql/15/disca'),
      join(folderOf(host), 'var/lib/etcd/disca'),
    ],
    environment: backupEnvironment(folderOf(host)),
  }));
}

async function startBalancer(host: Host, folder: string): Promise<void> {
  await host.run('sysctl', '--quiet', `--load=${join(folder, 'etc/sysctl.d/60-disca.conf')}`);
  for (const service of [redis, haproxy, keepalived]) await host.start(service(host, folder));
}

/** Creates the owner and the database by the commands of the manual. */
async function createDatabase(inventory: Inventory, secrets: Secrets, dir: string): Promise<void> {
  const url = new URL(databaseUrl(inventory, 'postgres', secrets('superuser_password')));
  url.pathname = '/postgres';
  const responds = (): Promise<boolean> =>
    withClient(url.href, async (client) => (await client.query('select')).rowCount === 1).catch(() => false);
  await until(responds, 'the shared address leads to the primary');
  const commands = findSnippet('create role disca_owner')
    .replaceAll('10.0.0.5 ', `${inventory.private.sharedAddress} `)
    .replaceAll('secrets/', `${join(dir, 'secrets')}/`);
  const { exitCode, output } = await capture('bash', ['-euc', commands]);
  if (exitCode !== 0) throw new Error(`The database could not be created: ${output}`);
}

async function addCarrier(query: OwnerQuery, address: string): Promise<void> {
  await query(
    `insert into trunks (name, mode, address, default_caller_id, created_at)
     values ('simulator', 'test', $1, '551130000000', now())`,
    [address],
  );
  await insertDeck(query, [{ prefix: '55', price: pricePerMinute }]);
}

/** The carrier and the phones, on this machine. */
async function startSimulator(
  dir: string,
  address: string,
  onClose: (() => Promise<unknown>)[],
): Promise<VoiceSimulator> {
  const simulator = await startVoiceSimulator({
    name: `simulator-${address}`,
    dir: join(dir, 'simulator'),
    address,
    port: edgePorts.sip,
    rtpTimeoutSeconds: 300,
  });
  onClose.push(() => simulator.stop('kill'));
  return simulator;
}

async function startMail(dir: string, address: string, onClose: (() => Promise<unknown>)[]): Promise<void> {
  const entry = join(root, 'simulator/mail-sink/main.ts');
  const record = await startService({
    name: `mail-${address}`,
    command: process.execPath,
    args: [entry],
    commandIncludes: entry,
    logFile: join(dir, 'mail.log'),
    cwd: dirname(entry),
    ending: politeThenKill,
    outlives: false,
    env: {
      MAIL_SINK_DIR: join(dir, 'mail'),
      MAIL_SINK_HOST: address,
      MAIL_SINK_SMTP_PORT: String(mailPorts.smtp),
      MAIL_SINK_HTTP_PORT: String(mailPorts.http),
    },
    isReady: () =>
      fetch(`http://${address}:${mailPorts.http}/`).then(
        (response) => response.ok,
        () => false,
      ),
  });
  onClose.push(() => endAndRemove(record));
}

/** Lets requests of this process trust the certificates of this checkout. */
async function trustOwnAuthority(): Promise<void> {
  const own = readFileSync(await certificateAuthority(), 'utf8');
  setDefaultCACertificates([...getCACertificates('default'), own]);
}
