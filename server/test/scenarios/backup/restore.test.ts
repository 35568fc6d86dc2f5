import { execSync } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { withClient } from '../../../../tools/dev/database.ts';
import { freePort } from '../../../../tools/dev/ports.ts';
import { ownerRole, postgresUrl } from '../../../../tools/dev/services/postgres.ts';
import { postgresProgram, postgresUser } from '../../../../tools/dev/services/postgres-programs.ts';
import { awaitPromotion, systemIdentifierOf } from '../../../src/adapters/postgres/index.ts';
import { runDoctor } from '../../../src/main/cli/doctor/run-doctor.ts';
import { restoreCommands } from '../../../src/main/cli/restore.ts';
import { type BackupDeployment, startBackupDeployment } from '../../harness/deployments/backup.ts';
import { until } from '../../harness/until.ts';
import { type Receiver, startReceiver } from '../../harness/webhooks/receiver.ts';
import { runDisca } from './disca.ts';
import { archivedSegments, whileDamaged } from './faults.ts';
import { type ImmutableRows, readImmutableRows, without } from './immutable-rows.ts';
import { type Accepted, addCustomer, type Customer, type Load, startLoad } from './load.ts';

let deployment: BackupDeployment;
let receiver: Receiver;
let customers: Customer[];
beforeAll(async () => {
  [deployment, receiver] = await Promise.all([startBackupDeployment(), startReceiver()]);
  customers = await Promise.all([
    addCustomer(deployment, receiver.url),
    addCustomer(deployment, receiver.url),
  ]);
});
afterAll(async () => {
  await receiver?.stop();
  await deployment?.stop();
});

const json = async (...args: string[]) => {
  const { code, out, err } = await deployment.disca(...args, '--json');
  return { code, err, value: out === '' ? undefined : JSON.parse(out) };
};

/** Waits until PostgreSQL has archived its WAL up to now. */
async function archived(): Promise<void> {
  await deployment.query('select txid_current()');
  const [row] = await deployment.query('select pg_walfile_name(pg_switch_wal()) as name');
  await until(async () => {
    const [done] = await deployment.query('select last_archived_wal >= $1 as is from pg_stat_archiver', [
      row?.name,
    ]);
    return done?.is;
  }, 'the WAL is archived');
}

const isClean = async (customer: Customer, since: Date): Promise<boolean> => {
  const window = new URLSearchParams({ since: since.toISOString(), until: new Date().toISOString() });
  const { json: answer } = await customer.ask('GET', `/events/reconcile?${window}`);
  return answer.isClean;
};

/** Waits until `calls` calls and a charge that were requested after this time have been accepted. */
async function hasAccepted(load: Load, calls: number, sinceMs: number): Promise<void> {
  await until(() => {
    const kinds = load.accepted.filter(({ askedAtMs }) => askedAtMs > sinceMs).map(({ kind }) => kind);
    return kinds.includes('charge') && kinds.filter((kind) => kind === 'call').length >= calls;
  }, `${calls} calls and a charge are accepted`);
}

test('LEDGER-06 a cluster lost under load is restored to a point in time, without later changes', async () => {
  const beganAt = new Date();
  const load = startLoad(customers, 4);
  await hasAccepted(load, 8, beganAt.getTime());
  const backup = await json('backup');
  expect(backup).toMatchObject({ code: 0, err: '', value: { type: 'full', hasErrors: false } });
  await hasAccepted(load, 6, Date.now());

  const before: ImmutableRows = await readImmutableRows(deployment.query);
  const [mark] = await deployment.query('select clock_timestamp() as at');
  const cut: Date = mark?.at;
  const after: ImmutableRows = await readImmutableRows(deployment.query);
  await hasAccepted(load, 8, cut.getTime());
  await archived();
  // Makes changes that have not reached the archive, and are lost.
  await hasAccepted(load, 1, Date.now());
  await deployment.destroy();
  const accepted: Accepted[] = await load.stop();
  await deployment.stopPrograms();

  const lostAtMs = Date.now();
  const asked = join(deployment.dir, 'start-postgres');
  const place = ['--data', deployment.data, '--start-command', `touch '${asked}'`];
  const restoring = json('restore', '--to', cut.toISOString(), ...place);
  await Promise.race([until(() => existsSync(asked), 'the restore waits for PostgreSQL'), restoring]);
  await deployment.startDatabase();
  const restored = await restoring;
  expect(restored).toMatchObject({
    code: 0,
    value: { timeline: 2, ledger: [], events: { differences: [] } },
  });
  const { closedCalls, recordings, seconds } = restored.value;
  expect(recordings.lost).toEqual([]);
  expect(Date.parse(restored.value.lastCommitAt)).toBeLessThanOrEqual(cut.getTime());

  const restoredRows: ImmutableRows = await readImmutableRows(deployment.query);
  expect(without(before, restoredRows)).toEqual([]);
  const invented = without(restoredRows, after);
  // Checks that no other rows exist than at that time, except those written when the open calls were closed.
  const closed = new Set(invented.map(({ subject }) => subject));
  expect(closed.size).toBeLessThanOrEqual(closedCalls + recordings.adopted);
  expect(invented.every(({ table }) => table === 'ledger' || table === 'event')).toBe(true);

  const restoredKeys = new Set([...restoredRows.keys()]);
  const early = accepted.filter(({ answeredAtMs }) => answeredAtMs < cut.getTime());
  const late = accepted.filter(({ askedAtMs }) => askedAtMs > cut.getTime());
  expect(early.filter(({ kind, id }) => !restoredKeys.has(`${kind} ${id}`))).toEqual([]);
  expect(late.filter(({ kind, id }) => restoredKeys.has(`${kind} ${id}`))).toEqual([]);
  for (const some of [early, late])
    expect(new Set(some.map(({ kind }) => kind))).toEqual(new Set(['call', 'charge']));

  await deployment.startPrograms();
  await until(async () => (await customers[0]?.ask('GET', '/users/me'))?.status === 200, 'the API responds');
  const recoveredMs = Date.now() - lostAtMs;
  await expectNormalOperation(beganAt);
  await expectDeliveredOnce(restoredRows);
  await expectHealthy();
  process.stdout.write(
    `Restored ${early.length} accepted calls and charges, dropped ${late.length} later ones, closed ${closedCalls} open calls; ` +
      `restore ${JSON.stringify(seconds)}, until the API responded ${(recoveredMs / 1000).toFixed(1)} s.\n`,
  );
});

/** Checks that calls are placed, ended, paid and reported again, and that all totals agree. */
async function expectNormalOperation(since: Date): Promise<void> {
  const load = startLoad(customers, 2);
  await hasAccepted(load, 5, Date.now());
  const accepted = await load.stop();
  expect(accepted.filter(({ kind }) => kind === 'call').length).toBeGreaterThan(3);
  await until(async () => {
    const [row] = await deployment.query('select count(*)::int as open from live_calls');
    return row?.open === 0;
  }, 'all calls have ended');
  const answered = await deployment.query(
    'select from calls where id = any($1::uuid[]) and answered_at is not null and call_price_micros is not null',
    [accepted.filter(({ kind }) => kind === 'call').map(({ id }) => id)],
  );
  expect(answered.length).toBeGreaterThan(0);
  await until(async () => {
    const open = await deployment.query(
      `select from pgboss.job
        where name in ('sandbox.notify', 'charges.read-payment') and state <= 'active' limit 1`,
    );
    return open.length === 0;
  }, 'all payments are booked');
  for (const customer of customers)
    await until(() => isClean(customer, since), 'events, deliveries and money agree');
  expect(await json('ledger', 'audit')).toMatchObject({ code: 0, value: [] });
}

/** Checks that every known event was delivered, and that repeated deliveries were the same event with the same id. */
async function expectDeliveredOnce(found: ImmutableRows): Promise<void> {
  const bodies = Map.groupBy(receiver.received, ({ headers }) => headers['webhook-id'] ?? '');
  for (const [, webhooks] of bodies) {
    const contents = webhooks.map(({ body }) => JSON.stringify({ id: body.id, eventType: body.eventType }));
    expect(new Set(contents).size).toBe(1);
  }
  const [row] = await deployment.query(
    `select count(*)::int as waiting from deliveries where state <> 'delivered'`,
  );
  expect(row?.waiting).toBe(0);
  expect(found.size).toBeGreaterThan(0);
}

/**
 * Checks that the doctor reports nothing except a missing gateway and a ledger audit that is not yet due. Ignores the
 * disk space of this machine.
 */
async function expectHealthy(): Promise<void> {
  const expected = ['payments warning', 'ledger warning'];
  let problems: string[] = [];
  await until(async () => {
    const findings = await runDoctor({ environment: deployment.environment });
    problems = findings
      .filter(({ part, state }) => state !== 'ok' && part !== 'disk space')
      .map(({ part, state }) => `${part} ${state}`);
    return problems.join() === expected.join();
  }, 'disca doctor reports only the expected warnings').catch(() => expect(problems).toEqual(expected));
}

/** Returns the error message of a restore. Runs it in this process, because starting a new one takes longer. */
const refusal = async (...args: string[]): Promise<string> => {
  for (const [name, value] of Object.entries(deployment.environment)) vi.stubEnv(name, value);
  const command: Command = restoreCommands();
  try {
    await command.parseAsync(args, { from: 'user' });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('refuses damaged backups and WAL with a gap', async () => {
  const data = join(deployment.dir, 'elsewhere');
  const restore = (...more: string[]) => refusal('--data', data, ...more);
  const { value: list } = await json('backup', 'list');
  const [{ id, finishedAt }] = list.backups;

  // Both timelines have the segment in which they branch; the old timeline's copy contains other records.
  await archived();
  await archived();
  const segments = archivedSegments(deployment.objects);
  const [parted = ''] = [...segments.keys()].filter((name) => name.startsWith('00000002'));
  expect([...segments.keys()]).toContain(parted.replace(/^.{8}/, '00000001'));
  const whileMissing = (name: string, work: () => Promise<void>) =>
    whileDamaged(segments.get(name) ?? '', () => undefined, work);
  await whileMissing(parted, async () => {
    expect(await restore()).toContain(`The WAL has a gap: ${parted} is missing`);
    expect(await json('backup', 'verify')).toMatchObject({ code: 1, value: { missing: [parted] } });
    const [finding] = await runDoctor({ environment: deployment.environment, parts: ['backup'] });
    expect(finding).toMatchObject({ state: 'fault', says: expect.stringContaining(`lacks ${parted}`) });
  });
  const early = await restore('--to', '2026-01-01T00:00:00Z');
  const late = await restore('--to', '2126-01-01T00:00:00Z');
  const used = await refusal('--data', deployment.data);
  expect(early).toContain(`the first was finished at ${finishedAt}`);
  expect(late).toMatch(/The WAL in the repository ends at \S+, before 2126/);
  expect(used).toContain('is not empty. A restore never overwrites a cluster');
  expect(await restore('--backup', 'unknown')).toContain('has no backup unknown');
  expect(existsSync(data)).toBe(false);

  const intact = await json('backup', 'verify');
  expect(intact.value.report).toContain('status: ok');
  expect(intact).toMatchObject({ code: 0, value: { isIntact: true, missing: [] } });
  await whileDamaged(
    join(deployment.objects, 'disca/backup/disca', id, 'bundle/1'),
    // Changes two bytes.
    (content) => Buffer.from(content).fill(0x55, 5_000, 5_002),
    async () => {
      const verified = await json('backup', 'verify');
      expect(verified).toMatchObject({ code: 1, value: { isIntact: false } });
      expect(verified.value.report).toMatch(/status: invalid/);
    },
  );
});

test('refuses a repository with another encryption key', async () => {
  const { code, err } = await deployment.disca('backup', 'list');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  vi.stubEnv('PGBACKREST_REPO1_CIPHER_PASS', 'another key');
  try {
    const refused = await deployment.disca('backup', 'list');
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('The backup repository cannot be used'),
    });
  } finally {
    vi.unstubAllEnvs();
  }
});

test('never mistakes a running cluster for the restored one, nor closes calls of a running service', async () => {
  const data = join(deployment.dir, 'elsewhere');
  const still = await refusal('--data', data);
  expect(still).toContain('PostgreSQL is still running at DATABASE_OWNER_URL');
  expect(existsSync(data)).toBe(false);
  const systemIdentifier = await systemIdentifierOf(deployment.data);
  // The server was started earlier, or runs in another folder. A newer timeline alone is not sufficient.
  const wait = (place: string, preparedAt: Date) =>
    awaitPromotion({
      ...{ url: deployment.ownerUrl, data: place, preparedAt, oldTimeline: 1, timeoutMs: 10_000 },
      systemIdentifier,
      onProgress: () => undefined,
    });
  await expect(wait(data, new Date(0))).rejects.toThrow('does not run on');
  await expect(wait(deployment.data, new Date())).rejects.toThrow('does not run on');
  expect(await wait(deployment.data, new Date(0))).toMatchObject({ timeline: 2 });
  expect(await json('restore', 'finish')).toMatchObject({
    code: 1,
    err: expect.stringContaining('The service runs on this database: disca-api, disca-voice, disca-worker.'),
  });
});

test('rehearses a restore of an incremental backup beside the running cluster, without archiving', async () => {
  expect(await json('backup')).toMatchObject({ code: 0, value: { type: 'incr' } });
  await archived();
  const before = archivedSegments(deployment.objects).size;
  const data = join(deployment.data, '../rehearsal');
  const port = await freePort();
  const url = new URL(deployment.ownerUrl);
  url.port = String(port);
  const { uid, gid } = postgresUser() ?? {};
  const asServer = uid === undefined ? '' : `setpriv --reuid=${uid} --regid=${gid} --clear-groups `;
  const pgCtl = (action: string) =>
    `cd / && ${asServer}${postgresProgram('pg_ctl')} -D '${data}' -l '${data}/rehearsal.log' -m immediate ${action}`;
  // As many connections as the original: PostgreSQL refuses to recover with fewer.
  const options = `-o "-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=300"`;
  try {
    const rehearsed = await runDisca({ ...deployment.environment, DATABASE_OWNER_URL: String(url) }, [
      ...['restore', '--rehearse', '--json', '--data', data],
      ...['--start-command', pgCtl(`${options} start`)],
    ]);
    expect(rehearsed).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(rehearsed.out)).toMatchObject({ timeline: 3, ledger: [] });
    await withClient(postgresUrl({ port, user: ownerRole, database: 'disca' }), async (client) => {
      const { rows } = await client.query(
        `select name, setting from pg_file_settings
          where name = 'archive_mode' or name = 'restore_command' or name like 'recovery_%'`,
      );
      expect(rows).toEqual([{ name: 'archive_mode', setting: 'off' }]);
    });
    expect(archivedSegments(deployment.objects).size).toBe(before);
  } finally {
    if (existsSync(join(data, 'postmaster.pid'))) execSync(pgCtl('stop'));
    rmSync(data, { recursive: true, force: true });
  }
});

test('while the object store is down, disca doctor reports it; afterwards the WAL is archived', async () => {
  const look = async () =>
    (await runDoctor({ environment: deployment.environment, parts: ['log archive'] }))[0];
  await archived();
  expect(await look()).toMatchObject({ state: 'ok' });
  const startAgain = await deployment.stopObjectStore();
  try {
    await deployment.query('select txid_current()');
    await deployment.query('select pg_switch_wal()');
    const result = await until(async () => {
      const [row] = await deployment.query(
        'select last_failed_time > last_archived_time as is from pg_stat_archiver',
      );
      return row?.is ? await look() : undefined;
    }, 'the archiver fails');
    expect(result).toMatchObject({ state: 'fault', says: expect.stringContaining('could not be archived') });
  } finally {
    await startAgain();
  }
  await archived();
  expect(await json('backup', 'verify')).toMatchObject({ code: 0, value: { missing: [] } });
});

test('keeps many WAL segments until they are in the repository, archives them in order, then backs up', async () => {
  const waiting = async () => {
    const rows = await deployment.query(
      `select left(name, 24) as name from pg_ls_archive_statusdir() where name ~ '^[0-9A-F]{24}\\.ready$' order by name`,
    );
    return rows.map(({ name }): string => name);
  };
  const written = 40;
  const startAgain = await deployment.stopObjectStore();
  let kept: string[];
  try {
    for (let segment = 0; segment < written; segment += 1) {
      await deployment.query('select txid_current()');
      await deployment.query('select pg_switch_wal()');
    }
    kept = await waiting();
  } finally {
    await startAgain();
  }
  expect(kept.length).toBeGreaterThanOrEqual(written);
  expect(await json('backup')).toMatchObject({ code: 0, err: '' });
  const segments = archivedSegments(deployment.objects);
  const storedMs = kept.map((name) => statSync(segments.get(name) ?? '').mtimeMs);
  expect(storedMs).toEqual(storedMs.toSorted((a, b) => a - b));
  await archived();
  expect(await waiting()).toEqual([]);
  expect(await json('backup', 'verify')).toMatchObject({ code: 0, value: { missing: [] } });
});

test('disca doctor reports WAL that is not in the repository', async () => {
  const segments = [...archivedSegments(deployment.objects)];
  const look = async () =>
    (await runDoctor({ environment: deployment.environment, parts: ['log archive'] }))[0];
  await whileDamaged(
    segments.at(-1)?.[1] ?? '',
    () => undefined,
    async () =>
      expect(await look()).toMatchObject({
        state: 'fault',
        says: expect.stringContaining('but the repository ends with'),
      }),
  );
});
