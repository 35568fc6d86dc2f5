import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Database,
  inAccount,
  inTransaction,
  openDatabase,
  type Tx,
} from '../../../src/platform/db/database.ts';
import { assertRestrictedRole } from '../../../src/platform/db/role.ts';
import { recordEvent } from '../../../src/platform/outbox.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';
import { fillTables } from './fill-tables.ts';

interface Table {
  name: string;
  /** Name of the column with the account id. */
  account: string;
  columns: string[];
  hasRowSecurity: boolean;
  mayInsert: boolean;
  mayUpdate: boolean;
  mayDelete: boolean;
  rows: number;
}

let platform: Platform;
let db: Database;
let own: TestAccount;
let other: TestAccount;
/** Every table with account rows that the service may read, found in the catalogue. */
let tables: Table[];

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  db = platform.api.base.db;
  own = await createAccount(platform);
  other = await createAccount(platform);
  // Events with a number and events that wait for one.
  await recordEvents();
  await platform.database.query(
    `with waiting as (delete from event_outbox returning *) insert into events
     select id, account_id, type, subject_id, data, occurred_at, row_number() over () from waiting`,
  );
  await recordEvents();
  await fillTables(platform.database.ownerUrl, await findTables(), [own.id, other.id]);
  tables = await findTables();
});
afterAll(() => platform.close());

async function recordEvents(): Promise<void> {
  for (const { id, uuid } of [own, other]) {
    const event = { accountId: id, type: 'test', subjectId: uuid, data: {}, occurredAt: new Date() };
    await inAccount(db, id, (tx) => recordEvent(tx, event));
  }
}

async function findTables(): Promise<Table[]> {
  const rows = await platform.database.query<Omit<Table, 'rows'>>(
    `select c.relname as name, a.attname as account, c.relrowsecurity as "hasRowSecurity",
            has_table_privilege('disca_service', c.oid, 'insert') as "mayInsert",
            has_table_privilege('disca_service', c.oid, 'update') as "mayUpdate",
            has_table_privilege('disca_service', c.oid, 'delete') as "mayDelete",
            (select array_agg(quote_ident(attname)::text order by attnum) from pg_attribute
              where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' and attidentity <> 'a') as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attname = case when c.relname = 'accounts' then 'id' else 'account_id' end
        and has_table_privilege('disca_service', c.oid, 'select')
      order by c.relname`,
  );
  return await Promise.all(
    rows.map(async (table) => ({
      ...table,
      rows: (await platform.database.query(`select from ${table.name}`)).length,
    })),
  );
}

async function accountsSeen(tx: Tx, { name, account }: Table): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`select distinct ${sql.ref(account)} as id from ${sql.table(name)}`.execute(tx);
  return rows.map(({ id }) => id);
}

test('every table with account rows has row-level security, and rows of two accounts in these tests', () => {
  const house = [
    'access_tokens',
    'accounts',
    'audit_entries',
    'event_outbox',
    'events',
    'known_addresses',
    'users',
  ];
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(house));
  expect(tables.filter(({ hasRowSecurity }) => !hasRowSecurity).map(({ name }) => name)).toEqual([]);
  expect(tables.filter(({ rows }) => rows < 2).map(({ name }) => name)).toEqual([]);
});

test('without an account the service sees no row', async () => {
  for (const table of tables) {
    expect(await inTransaction(db, (tx) => accountsSeen(tx, table)), table.name).toEqual([]);
  }
});

test('within an account the service sees that account’s rows and no others', async () => {
  for (const table of tables) {
    expect(await inAccount(db, own.id, (tx) => accountsSeen(tx, table)), table.name).toEqual([own.id]);
  }
  const seenByUnknown = await inAccount(db, 999_999_999, async (tx) => {
    const seen: number[] = [];
    for (const table of tables) seen.push(...(await accountsSeen(tx, table)));
    return seen;
  });
  expect(seenByUnknown).toEqual([]);
});

test('the service cannot write a row into another account, nor move its own there', async () => {
  for (const { name, account, columns, mayInsert, mayUpdate } of tables) {
    const refused = mayInsert ? /row-level security/ : /permission denied/;
    const kept = columns.filter((column) => column !== account);
    const copied = sql.raw(
      `insert into ${name} (${[account, ...kept].join(', ')}) select ${other.id}, ${kept.join(', ')} from ${name}`,
    );
    await expect(
      inAccount(db, own.id, (tx) => copied.execute(tx)),
      name,
    ).rejects.toThrow(refused);
    if (!mayUpdate) continue;
    const moved = sql.raw(`update ${name} set ${account} = ${other.id}`);
    await expect(
      inAccount(db, own.id, (tx) => moved.execute(tx)),
      name,
    ).rejects.toThrow(/row-level security|identity column/);
  }
});

test('the service cannot update or delete rows of another account', async () => {
  for (const { name, account, mayUpdate, mayDelete } of tables) {
    const before = await platform.database.query(`select * from ${name} where ${account} = $1`, [other.id]);
    if (mayUpdate) {
      const update = sql.raw(`update ${name} set ${account} = ${account} where ${account} = ${other.id}`);
      const { numAffectedRows } = await inAccount(db, own.id, (tx) => update.execute(tx));
      expect(numAffectedRows, name).toBe(0n);
    }
    if (mayDelete) {
      const remove = sql.raw(`delete from ${name} where ${account} = ${other.id}`);
      const { numAffectedRows } = await inAccount(db, own.id, (tx) => remove.execute(tx));
      expect(numAffectedRows, name).toBe(0n);
    }
    expect(await platform.database.query(`select * from ${name} where ${account} = $1`, [other.id])).toEqual(
      before,
    );
  }
});

test('the account setting ends with the transaction and does not stay on the connection', async () => {
  const pool = openDatabase(
    {
      url: platform.config.DATABASE_URL,
      poolSize: 2,
      applicationName: 'tenancy-test',
      statementTimeoutMs: 5_000,
    },
    () => undefined,
  );
  try {
    const users = tables.find(({ name }) => name === 'users');
    if (!users) throw new Error('There is no table of users.');
    for (let times = 0; times < 5; times++) {
      expect(await inAccount(pool, own.id, (tx) => accountsSeen(tx, users))).toEqual([own.id]);
      expect(await inTransaction(pool, (tx) => accountsSeen(tx, users))).toEqual([]);
      const rolledBack = inAccount(pool, own.id, () => Promise.reject(new Error('rolled back')));
      await expect(rolledBack).rejects.toThrow('rolled back');
      expect(await inTransaction(pool, (tx) => accountsSeen(tx, users))).toEqual([]);
    }
  } finally {
    await pool.close();
  }
});

test('the audit log and the events can be appended to, not rewritten', async () => {
  for (const statement of [
    `update audit_entries set action = 'none'`,
    'delete from audit_entries',
    'delete from events',
    'delete from event_outbox',
    `update event_outbox set type = 'none'`,
  ]) {
    await expect(inAccount(db, own.id, (tx) => sql.raw(statement).execute(tx))).rejects.toThrow(
      'permission denied',
    );
  }
});

test('the service can neither disable its policies nor read restricted data', async () => {
  const forbidden = [
    'alter table users disable row level security',
    'set local role disca_owner',
    'create table mine ()',
    'truncate users',
    "copy users to program 'cat'",
    'select * from pg_authid',
  ];
  for (const statement of forbidden) {
    await expect(
      inAccount(db, own.id, (tx) => sql.raw(statement).execute(tx)),
      statement,
    ).rejects.toThrow(/permission denied|must be owner|must be superuser/);
  }
  const off = inAccount(db, own.id, (tx) =>
    sql.raw('set local row_security = off; select * from users').execute(tx),
  );
  await expect(off).rejects.toThrow('row-level security');
});

test('rejects at start a role that bypasses row-level security or may become one', async () => {
  const member = 'tenancy_test_member';
  const { query, ownerUrl } = platform.database;
  const [owner] = await query<{ name: string }>('select current_user as name');
  await query(`drop role if exists ${member}`);
  await query(`create role ${member} login noinherit in role "${owner?.name}"`);
  const asMember = new URL(ownerUrl);
  asMember.username = member;
  const check = async (url: string) => {
    const role = openDatabase(
      { url, poolSize: 2, applicationName: 'tenancy-test', statementTimeoutMs: 5_000 },
      () => undefined,
    );
    try {
      await assertRestrictedRole(role);
    } finally {
      await role.close();
    }
  };
  try {
    await expect(check(platform.config.DATABASE_URL)).resolves.toBeUndefined();
    for (const url of [ownerUrl, asMember.href])
      await expect(check(url)).rejects.toThrow('bypasses row-level security');
  } finally {
    await query(`drop role ${member}`);
  }
});
