import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  awaitPromotion,
  createBackup,
  listBackups,
  retainBackups,
  verifyFiles,
  verifyLog,
} from '../../../src/adapters/postgres/index.ts';
import { backupCommands } from '../../../src/main/cli/backup.ts';
import { runDoctor } from '../../../src/main/cli/doctor/run-doctor.ts';
import { restoreCommands } from '../../../src/main/cli/restore.ts';
import { type BackupDeployment, startBackupDeployment } from '../../harness/deployments/backup.ts';
import { until } from '../../harness/until.ts';
import { type Receiver, startReceiver } from '../../harness/webhooks/receiver.ts';
import { onFullDisk, segmentsIn, takeSegment, whileDamaged } from './faults.ts';
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
  expect(backup).toMatchObject({ code: 0, value: { timeline: 1, warnings: [] } });
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

/** Returns a command's error message. Runs it in this process, because starting a new one takes longer. */
const refusal = async (command: Command, ...args: string[]): Promise<string> => {
  vi.stubEnv('DATABASE_OWNER_URL', deployment.ownerUrl);
  const asked = [...args, '--from', deployment.backups];
  const error = await command.parseAsync(asked, { from: 'user' }).then(
    () => undefined,
    (thrown: unknown) => thrown as Error,
  );
  return error?.message ?? '';
};

test('rejects a damaged backup and WAL with a gap before writing anything', async () => {
  const { backups, dir } = deployment;
  const { value: list } = await json('backup', 'list');
  const [{ id, finishedAt }] = list.backups;
  const data = join(dir, 'elsewhere');
  const restore = (...more: string[]) => refusal(restoreCommands(), '--data', data, ...more);
  const file = join(backups, 'base', id, 'data', 'PG_VERSION');
  await whileDamaged(
    file,
    () => Buffer.from('14\n'),
    async () => {
      const [verified, restored] = [await refusal(backupCommands(), 'verify'), await restore()];
      expect(verified).toContain(`The backup ${id} is damaged: checksum mismatch for file "PG_VERSION"`);
      expect(restored).toBe(verified);
    },
  );
  mkdirSync(join(backups, 'base', '20200101T000000Z.unfinished'));
  expect(await restore('--backup', '20200101T000000Z')).toContain('is incomplete and cannot be restored');

  // Both timelines have the segment in which they branch; the old timeline's copy contains other records.
  await archived();
  await archived();
  const parted = segmentsIn(backups).find((segment) => segment.startsWith('00000002')) ?? '';
  expect(segmentsIn(backups)).toContain(parted.replace(/^.{8}/, '00000001'));
  await whileDamaged(
    join(backups, 'wal', parted),
    () => undefined,
    async () =>
      expect(await restore()).toContain(`The WAL has a gap: ${parted.replace('.gz', '')} is missing`),
  );

  // The first segment of the backup: later ones exist, and no timeline has another copy of it.
  const [first = ''] = segmentsIn(backups);
  const needed = join(backups, 'wal', first);
  await whileDamaged(
    needed,
    () => undefined,
    async () => {
      const latest = await restore();
      const later = await restore('--to', new Date().toISOString());
      const name = first.replace('.gz', '');
      expect(latest).toContain(`The WAL has a gap: ${name} is missing from the archive.`);
      expect(later).toContain(`The WAL has a gap: ${name} is missing from the archive.`);
    },
  );
  await whileDamaged(
    needed,
    (content) => content.subarray(0, content.length / 2),
    async () =>
      expect(await restore()).toContain(`${first.replace('.gz', '')} in the archive cannot be read`),
  );
  expect(existsSync(data)).toBe(false);

  const early = await restore('--to', '2026-01-01T00:00:00Z');
  const late = await restore('--to', '2126-01-01T00:00:00Z');
  const used = await refusal(restoreCommands(), '--data', deployment.data);
  expect(early).toContain(`the first was finished at ${finishedAt}`);
  expect(late).toMatch(/The WAL in the archive ends at \S+, before 2126/);
  expect(used).toContain('is not empty. A restore never overwrites a cluster');
});

test('never mistakes a running cluster for the restored one, nor closes calls of a running service', async () => {
  const { value: list } = await json('backup', 'list');
  const data = join(deployment.dir, 'elsewhere');
  const still = await refusal(restoreCommands(), '--data', data, '--timeline', '1');
  expect(still).toContain('PostgreSQL is still running at DATABASE_OWNER_URL');
  expect(existsSync(data)).toBe(false);
  // The server was started earlier, or runs in another folder. A newer timeline alone is not sufficient.
  const wait = (place: string, preparedAt: Date) =>
    awaitPromotion({
      ...{ url: deployment.ownerUrl, data: place, preparedAt, oldTimeline: 1, timeoutMs: 10_000 },
      systemIdentifier: list.backups[0].systemIdentifier,
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

test('restore requires --timeline after a rehearsal has archived a newer but shorter timeline', async () => {
  const archive = join(deployment.backups, 'wal');
  const tried = join(archive, '00000003.history.gz');
  copyFileSync(join(archive, '00000002.history.gz'), tried);
  try {
    const said = await refusal(restoreCommands(), '--data', join(deployment.dir, 'elsewhere'));
    expect(said).toMatch(/1 ends at \S+, 2 ends at \S+, 3 ends at \S+\. Choose one with --timeline/);
  } finally {
    rmSync(tried);
  }
});

test('disca doctor reports WAL that is archived elsewhere', async () => {
  const look = async (folder: string) => {
    const environment = { ...deployment.environment, BACKUP_DIR: folder };
    return (await runDoctor({ environment, parts: ['log archive'] }))[0];
  };
  expect(await look(deployment.backups)).toMatchObject({ state: 'ok' });
  expect(await look(join(deployment.dir, 'nowhere'))).toMatchObject({
    state: 'fault',
    says: expect.stringContaining('does not have it'),
  });
});

test('archives a WAL file once, never overwrites another, and stores nothing on a full disk', async () => {
  const { backups, dir } = deployment;
  const [first = '', second = ''] = segmentsIn(backups);
  const name = first.replace('.gz', '');
  const path = takeSegment(backups, first, dir);
  const archive = (folder: string, source = path, as = name) =>
    deployment.disca('backup', 'archive-wal', source, as, '--to', folder);
  expect(await archive(backups)).toMatchObject({ code: 0 });
  const other = takeSegment(backups, second, dir);
  const taken = await archive(backups, other);
  expect(taken).toMatchObject({
    code: 1,
    err: expect.stringContaining('already exists with different content'),
  });

  const full = join(dir, 'full');
  await onFullDisk(full, async () => {
    const refused = await archive(full);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('is full: ') });
    expect(readdirSync(join(full, 'wal')).filter((file) => file !== 'cluster')).toEqual([]);
  });
  const foreign = join(dir, 'foreign');
  mkdirSync(join(foreign, 'wal'), { recursive: true });
  writeFileSync(join(foreign, 'wal', 'cluster'), '42');
  expect(await archive(foreign)).toMatchObject({
    code: 1,
    err: expect.stringContaining('belongs to cluster 42'),
  });
});

test('prunes old backups with the WAL that only they need; rejects a role without replication rights', async () => {
  const { backups: folder, ownerUrl: url, serviceUrl } = deployment;
  await expect(createBackup({ url: serviceUrl, folder })).rejects.toThrow(
    /may not copy the cluster.*replication/,
  );
  const { backup } = await createBackup({ url, folder });
  expect(backup.timeline).toBe(2);
  const before = segmentsIn(folder);
  const removed = await retainBackups(folder, 1);
  expect(removed.backups).toHaveLength(1);
  expect((await listBackups(folder)).whole).toEqual([backup]);
  const kept = segmentsIn(folder);
  expect(kept.length).toBeLessThan(before.length);
  await archived();
  await verifyFiles(folder, backup);
  const { chain, reachesTo } = await verifyLog(folder, backup, {});
  expect(chain).toMatchObject({ timeline: 2, missing: undefined });
  expect(reachesTo?.getTime()).toBeGreaterThan(Date.parse(backup.startedAt));
});

test('disca doctor reports an archive that PostgreSQL cannot write to', async () => {
  const archive = join(deployment.backups, 'wal');
  const { uid, gid } = statSync(archive);
  chownSync(archive, 0, 0);
  try {
    await deployment.query('select pg_switch_wal()');
    const look = async () =>
      (await runDoctor({ environment: deployment.environment, parts: ['log archive'] }))[0];
    const result = await until(async () => {
      const [row] = await deployment.query(
        'select last_failed_time > last_archived_time as is from pg_stat_archiver',
      );
      return row?.is ? await look() : undefined;
    }, 'the archiver fails');
    expect(result).toMatchObject({ state: 'fault', says: expect.stringContaining('could not be archived') });
  } finally {
    chownSync(archive, uid, gid);
  }
});
