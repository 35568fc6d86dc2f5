import { randomBytes } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../../../../tools/dev/database.ts';
import { inDev, root } from '../../../../tools/dev/paths.ts';
import { accessibleFolder, postgresUser } from '../../../../tools/dev/services/postgres-programs.ts';
import { runDoctor } from '../../../src/main/cli/doctor/run-doctor.ts';
import {
  type DatabaseCluster,
  startDatabaseCluster,
  startPatroni,
} from '../../harness/hosts/database-cluster.ts';
import { type Host, type HostNetwork, openHostNetwork } from '../../harness/hosts/host-network.ts';
import { findSnippet } from '../../harness/manual.ts';
import { until } from '../../harness/until.ts';
import { type BackupHost, describeBackupHost } from './backup-host.ts';
import { replaceMachine } from './replace-machine.ts';

const user = postgresUser() ?? { uid: 0, gid: 0 };
const dir = accessibleFolder(inDev('restore', randomBytes(4).toString('hex')), user);
const asPostgres = `setpriv --reuid=${user.uid} --regid=${user.gid} --clear-groups`;
const disca = join(root, 'disca');
const cipherPass = randomBytes(18).toString('base64url');
const settings = {
  KEY_RING: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  CONSOLE_URL: 'https://console.disca.test',
  STORAGE_URL: pathToFileURL(join(dir, 'recordings')).href,
};

let network: HostNetwork;
let cluster: DatabaseCluster;
let backups: BackupHost;

beforeAll(async () => {
  network = await openHostNetwork();
  backups = describeBackupHost(await network.addHost('backup1'), join(dir, 'backups'), { user, cipherPass });
  cluster = await startDatabaseCluster(network, join(dir, 'hosts'), {
    prepareBackups: backups.prepareDatabase,
    withDisks: true,
  });
  await backups.start(cluster);
  await createDatabase(await cluster.primary());
});
afterAll(async () => {
  await network?.close();
  rmSync(dir, { recursive: true, force: true });
});

const urlAt = ({ address }: Host, role = 'postgres', database = 'disca'): string =>
  `postgres://${role}:${cluster.password}@${address}:5432/${database}`;

const runShell = (host: Host, script: string, more: Record<string, string> = {}): Promise<string> => {
  const own = host === backups.host ? backups.environment : cluster.filesOf(host).environment;
  const variables = { ...settings, ...own, ...more };
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return host.run('env', ...assignments, 'bash', '-euo', 'pipefail', '-c', script);
};

async function createDatabase(primary: Host): Promise<void> {
  await withClient(urlAt(primary, 'postgres', 'postgres'), async (client) => {
    await client.query(`create role disca_owner superuser login password '${cluster.password}'`);
    await client.query('create database disca owner disca_owner');
  });
  await runShell(primary, `${process.execPath} ${join(root, 'server/src/main/prepare.ts')}`, {
    DATABASE_OWNER_URL: urlAt(primary, 'disca_owner'),
    DATABASE_URL: urlAt(primary, 'disca_app'),
  });
}

const addTrunk = (primary: Host, name: string): Promise<unknown> =>
  withClient(urlAt(primary), (client) =>
    client.query(
      `insert into trunks (name, mode, address, default_caller_id, created_at)
       values ($1, 'test', '127.0.0.1:5060', '551130000000', now())`,
      [name],
    ),
  );

const trunks = (primary: Host): Promise<string[]> =>
  withClient(urlAt(primary), async (client) => {
    const { rows } = await client.query<{ name: string }>('select name from trunks order by name');
    return rows.map(({ name }) => name);
  });

/** Returns the time of PostgreSQL, in whole milliseconds and after everything that was committed. */
const nowAt = (primary: Host): Promise<Date> =>
  withClient(urlAt(primary), async (client) => {
    const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at from pg_sleep(0.01)');
    return rows[0]?.at ?? new Date();
  });

/** Waits until PostgreSQL has archived its WAL up to now. */
const archive = (primary: Host): Promise<void> =>
  withClient(urlAt(primary), async (client) => {
    const { rows } = await client.query('select pg_walfile_name(pg_switch_wal()) as name');
    await until(async () => {
      const sql = 'select last_archived_wal >= $1 as "isDone" from pg_stat_archiver';
      return (await client.query(sql, [rows[0]?.name])).rows[0]?.isDone;
    }, 'the WAL is archived');
  });

/** Runs the commands of the manual on the host that becomes the primary. */
async function restoreBy(host: Host, target: Date): Promise<string> {
  const { own, patroniFile, dataFolders } = cluster.filesOf(host);
  const script = findSnippet('disca restore --data')
    .replace(
      /^patronictl .*$/m,
      `printf 'disca\\nYes I am aware\\n' | /usr/bin/python3 /usr/bin/patronictl -c ${patroniFile} remove disca`,
    )
    .replace('disca restore --data $data', `$& --to ${target.toISOString()}`)
    // The settings are in the environment.
    .replace(/^export KEY_RING=.*$/m, '')
    .replaceAll('PASSWORD', cluster.password)
    .replaceAll('10.0.0.41', host.address)
    .replaceAll('sudo -u postgres', asPostgres)
    .replaceAll('/opt/disca', root)
    .replaceAll('/var/lib/postgresql/15/disca', dataFolders[0])
    .replaceAll('/var/log/postgresql', own);
  return await runShell(host, script);
}

const takesOverFrom = (former: Host): Promise<Host> =>
  until(async () => {
    const primary = await cluster.primary();
    return primary !== former && (await acceptsWrites(primary)) ? primary : undefined;
  }, 'a standby has taken over');

const acceptsWrites = (host: Host): Promise<boolean> =>
  withClient(urlAt(host), async (client) => {
    const { rows } = await client.query('select not pg_is_in_recovery() as "isPrimary"');
    return rows[0]?.isPrimary;
  }).catch(() => false);

/** Returns what `disca doctor` says about the disks of the three machines. */
async function examineDisks(): Promise<string[]> {
  const environment = { DATABASE_MACHINES: cluster.hosts.map(({ address }) => address).join(',') };
  const findings = await runDoctor({ environment, parts: ['database disks'] });
  return findings.map(({ state, says }) => `${state}: ${says}`);
}

/** Asks PostgreSQL of this host again and again whether it is a standby, until stopped. */
function watchRole(host: Host): { seen: Set<string>; stop(): Promise<void> } {
  const seen = new Set<string>();
  let isOver = false;
  const ask = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: urlAt(host, 'postgres', 'postgres'),
      connectionTimeoutMillis: 1_000,
      query_timeout: 1_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query('select pg_is_in_recovery() as "isStandby"');
      seen.add(rows[0]?.isStandby ? 'standby' : 'primary');
    } catch {
      // It does not accept connections.
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const watching = (async () => {
    while (!isOver) await ask();
  })();
  return {
    seen,
    async stop() {
      isOver = true;
      await watching;
    },
  };
}

test('a primary lost with its disk is replaced by the commands of the manual', async () => {
  const lost = await cluster.primary();
  await addTrunk(lost, 'before-the-loss');
  await lost.powerOff();
  const next = await takesOverFrom(lost);
  expect(await trunks(next)).toEqual(['before-the-loss']);
  await replaceMachine(cluster, lost);
  // Started with the machine by Debian's unit.
  await lost.startAgain('pgbackrest');
  await cluster.untilWhole();
  const roles = (await cluster.members()).map(({ name, role }) => [name, role]);
  expect(roles).toContainEqual([next.name, 'leader']);
});

test('a cluster is restored from a backup host by the commands of the manual', async () => {
  const first = await cluster.primary();
  await addTrunk(first, 'in-the-backup');
  await runShell(backups.host, `${disca} backup`);
  await runShell(first, `${asPostgres} pgbackrest --stanza=disca check`);
  await addTrunk(first, 'in-the-wal');
  const target = await nowAt(first);
  // The repository has the times of WAL in whole seconds.
  await sleep(1_000);
  await addTrunk(first, 'after-the-target');
  await archive(first);

  await Promise.all(cluster.hosts.map((host) => host.stop('patroni')));
  for (const host of cluster.hosts) {
    const [data] = cluster.filesOf(host).dataFolders;
    renameSync(data, `${data}.before`);
  }
  expect(await restoreBy(first, target)).toContain('Restored from');
  await startPatroni(first, cluster.filesOf(first));
  await until(
    async () => (await cluster.members()).some(({ name, role }) => name === first.name && role === 'leader'),
    'the restored machine is the primary',
  );
  for (const host of cluster.hosts) if (host !== first) await startPatroni(host, cluster.filesOf(host));
  await cluster.untilWhole();

  expect(await trunks(first)).toEqual(['before-the-loss', 'in-the-backup', 'in-the-wal']);
  // Confirmed by a standby.
  await addTrunk(first, 'after-the-restore');
  const [settingsNow] = await withClient(urlAt(first), async (client) => {
    const { rows } = await client.query(
      "select current_setting('synchronous_standby_names') as names, current_setting('restore_command') as restore",
    );
    return rows;
  });
  expect(settingsNow).toMatchObject({ names: expect.stringContaining('db'), restore: '' });
  const backedUp = await runShell(backups.host, `${disca} backup && ${disca} backup verify`);
  expect(backedUp).toContain('All backups are complete: 2.');
});

test('the backup host accepts the certificates of database machines only', async () => {
  const standby = await cluster.synchronousStandby();
  const list = `${asPostgres} pgbackrest --stanza=disca repo-ls`;
  expect(await runShell(standby, list)).toContain('backup');
  await expect(runShell(standby, `${list} ${backups.asMediaNode()}`)).rejects.toThrow('access denied');
});

test('ERR-18 a primary whose disk hangs gives up its role, and returns as a standby', async () => {
  const hung = await cluster.primary();
  await addTrunk(hung, 'before-the-hang');
  expect(await examineDisks()).toEqual(['ok: all 3 complete writes']);
  await hung.freezeDisk();
  const frozenAtMs = Date.now();
  const next = await takesOverFrom(hung);
  const watch = watchRole(hung);
  await addTrunk(next, 'while-it-hangs');
  // Without the disk check, it stays the primary until the disk is thawed.
  expect(Date.now() - frozenAtMs).toBeLessThan(45_000);
  const hangs = new RegExp(`^fault: the disk of ${hung.address} has completed no write for \\d+ s`);
  await until(async () => hangs.test((await examineDisks()).join()), 'disca doctor reports the disk');

  await hung.thawDisk();
  await cluster.untilWhole();
  await until(async () => (await examineDisks()).join().startsWith('ok'), 'disca doctor reports no disk');
  await until(() => watch.seen.has('standby'), 'the machine accepts connections');
  await watch.stop();
  expect([...watch.seen]).toEqual(['standby']);
  expect(await cluster.primary()).toBe(next);
  expect(await trunks(next)).toEqual(expect.arrayContaining(['before-the-hang', 'while-it-hangs']));
});
