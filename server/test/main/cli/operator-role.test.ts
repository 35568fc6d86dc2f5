import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandRules } from '../../../src/main/cli/command-rules.ts';
import { addTotp } from '../../harness/factors.ts';
import {
  type CallingAccount,
  createCallingAccount,
  startCallLimitPlatform,
} from '../../harness/fixtures/call-limits.ts';
import { addStoredRecording, wav } from '../../harness/fixtures/recordings.ts';
import { type Outcome, runOperator } from '../../harness/operator-cli.ts';
import type { Person } from '../../harness/people.ts';
import type { Platform } from '../../harness/platform.ts';
import { databaseUrl, operatorRole } from '../../harness/template.ts';
import { until } from '../../harness/until.ts';

let platform: Platform;
let account: CallingAccount;
let user: Person;
let client: pg.Client;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'disca-operator-role-'));
  platform = await startCallLimitPlatform();
  account = await createCallingAccount(platform);
  user = await account.addUser();
  await addTotp(platform, user);
  await addStoredRecording(platform, account.id, wav(1));
  client = new pg.Client({ connectionString: platform.database.operatorUrl });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await platform?.close();
  await rm(folder, { recursive: true });
});

const query = <Row extends object>(text: string, values: unknown[] = []) =>
  platform.database.query<Row>(text, values);

/** Runs a command without the owner's connection, or with other connections. */
const run = (args: string[], changes: Partial<Platform['database']> = {}): Promise<Outcome> =>
  runOperator({ database: { ...platform.database, ownerUrl: '', ...changes } }, args);

test('OPER-13 operator commands connect with a role that is no superuser and owns nothing', async () => {
  const attributes = await query(
    `select rolname, rolsuper or rolcreatedb or rolcreaterole or rolbypassrls or rolreplication as "isStrong",
            (select count(*)::int from pg_shdepend d where d.refobjid = r.oid and d.deptype = 'o') as owned,
            (select array_agg(roleid::regrole::text) from pg_auth_members where member = r.oid) as groups
       from pg_roles r where rolname in ('disca_operator', $1) order by 1`,
    [operatorRole],
  );
  expect(attributes).toEqual([
    { rolname: 'disca_operator', isStrong: false, owned: 0, groups: null },
    { rolname: operatorRole, isStrong: false, owned: 0, groups: ['disca_operator'] },
  ]);
  const { rows } = await client.query<{ role: string }>('select current_user as role');
  expect(rows).toEqual([{ role: operatorRole }]);
});

test('OPER-13 a missing setting, and another role than that of operator commands, are refused', async () => {
  const list = (operatorUrl: string) => run(['account', 'list'], { operatorUrl });
  const refused = async (url: string) => (await list(url)).err;
  expect(await refused('')).toContain('DATABASE_OPERATOR_URL is not set. Add it');
  const { ownerUrl, serviceUrl } = platform.database;
  expect(await refused(ownerUrl)).toContain(
    'DATABASE_OPERATOR_URL names a role that bypasses row-level security',
  );
  expect(await refused(serviceUrl)).toContain('is not a member of disca_operator. Run disca migrate');
  expect(await list(platform.database.operatorUrl)).toMatchObject({ code: 0, err: '' });
});

test('OPER-13 disca migrate creates the login role and grants its rights', async () => {
  const role = 'operator_of_this_test';
  await query(`drop role if exists ${role}`);
  const { ownerUrl } = platform.database;
  const operatorUrl = databaseUrl(ownerUrl, new URL(ownerUrl).pathname.slice(1), role);
  try {
    expect(await run(['migrate'], { ownerUrl, operatorUrl })).toMatchObject({ code: 0 });
    expect(await run(['account', 'list'], { operatorUrl })).toMatchObject({ code: 0, err: '' });
    expect(await run(['migrate'], { ownerUrl, operatorUrl })).toMatchObject({ code: 0 });
  } finally {
    await query(`drop role ${role}`);
  }
});

test.each([
  "update operator_log set reason = ''",
  'delete from operator_log',
  'truncate operator_log',
  'insert into operator_log select * from operator_log',
  'update operator_log_head set seq = 0',
  'select seq from operator_log_head for update',
  'alter table operator_log disable trigger append_only',
  'update ledger_balances set available_micros = 1000000',
  'insert into ledger_balances select * from ledger_balances',
  'insert into ledger_transactions select * from ledger_transactions',
  'delete from ledger_transactions',
  'update call_holds set price_micros = 0',
  "update charges set status = 'RECEIVED'",
  "update users set password_hash = ''",
  "update users set role = 'ADMIN'",
  'insert into users select * from users',
  "update accounts set email = email, domain = 'taken'",
  'select hash from access_tokens',
  "insert into access_tokens (hash) values ('x')",
  'select hash from recovery_codes',
  'update extensions set senha_sealed = senha_sealed',
  'insert into calls (id) select id from calls',
  'select * from idempotency_keys',
  'delete from pgboss.job_common',
  'create table mine ()',
  'create role mine',
  'create database mine',
  'set role disca_service',
  'set role disca_owner',
  "copy users to program 'cat'",
])('OPER-14 the role of operator commands may not: %s', async (statement) => {
  await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner|must be superuser/);
});

const reason = ['--reason', 'A test'];

/** Every command that needs no machine, in an order in which each one works, with what it needs before. */
const commands: [command: string, args: () => string[], before?: () => Promise<unknown>][] = [
  ['account list', () => ['--search', account.domain]],
  ['account show', () => [account.domain]],
  ['account export', () => [account.domain]],
  ['account reset-factors', () => [account.domain, user.email]],
  ['account approve', () => [account.domain], awaitApproval],
  ['account review', () => [account.domain, '--lift'], suspend],
  ['caps show', () => [account.domain]],
  ['caps set', () => [account.domain, '--daily-spend', '100']],
  ['budgets defaults', () => []],
  ['budgets default', () => ['calls', '--live', '100']],
  ['budgets show', () => [account.domain]],
  ['budgets set', () => [account.domain, 'calls', '7']],
  ['budgets reset', () => ['test', 'all'], () => run(['budgets', 'set', account.domain, 'calls', 'none'])],
  ['caller-id assign', () => [account.domain, '5511987654321']],
  ['caller-id list', () => [account.domain]],
  ['caller-id remove', () => [account.domain, '5511987654321']],
  ['credit adjust', () => [account.domain, '-5']],
  ['ledger audit', () => []],
  ['keys status', () => []],
  ['keys rotate', () => []],
  ['keys unseal', () => []],
  ['node add', () => ['m7', '--address', '10.0.0.7:5060']],
  ['node list', () => []],
  ['node drain', () => ['m7']],
  ['node undrain', () => ['m7']],
  ['node remove', () => ['m7']],
  ['ban list', () => [], () => query(`select edge.ban(1, 'address', '192.0.2.9', 600)`)],
  ['ban lift', () => ['192.0.2.9']],
  ['rates import', () => [join(folder, 'deck.csv'), '--from', '2999-01-01'], writeDeck],
  ['rates list', () => []],
  ['rates show', () => ['--number', '55']],
  [
    'trunk add',
    () => ['carrier', '--mode', 'test', '--address', '192.0.2.1:5060', '--caller-id', '551130000000'],
  ],
  ['trunk set', () => ['carrier', '--address', '192.0.2.2:5060']],
  ['trunk list', () => []],
  ['trunk disable', () => ['carrier']],
  ['trunk enable', () => ['carrier']],
  ['trunk test', () => ['carrier', '5511987654321'], async () => void answerTest()],
  ['trunk remove', () => ['carrier']],
  ['person erase', () => [account.domain, '--email', user.email], placeAndEnd],
  ['account go-live', () => [account.domain]],
  ['account go-test', () => [account.domain]],
  ['account block', () => [account.domain], placeCalls],
  ['account unblock', () => [account.domain]],
  ['account close', () => [account.domain]],
  ['operators bootstrap', () => ['ana', 'ana@disca.test', 'bia', 'bia@disca.test']],
];

async function awaitApproval(): Promise<void> {
  await query('update accounts set awaits_approval_since = now() where id = $1', [account.id]);
}

async function suspend(): Promise<void> {
  await query(
    `insert into account_caps (account_id, suspended_at, suspended_reason) values ($1, now(), 'A test')
     on conflict (account_id) do update set suspended_at = now(), suspended_reason = 'A test'`,
    [account.id],
  );
}

function writeDeck(): Promise<void> {
  return writeFile(join(folder, 'deck.csv'), 'prefix,price_per_minute\n55,0.12\n');
}

/** Answers the test call as call control does. */
async function answerTest(): Promise<void> {
  const answer = `update trunk_tests set taken_at = now(), outcome = 'answered', detail = '', ended_at = now() returning id`;
  await until(async () => (await query(answer)).length > 0, 'the test call is requested');
}

/** Leaves a call that ended, with the name of a user who will be erased. */
async function placeAndEnd(): Promise<void> {
  await account.call();
  await account.endCalls();
  await query(`update calls set status = 'ended', ended_at = now(), email = $2 where account_id = $1`, [
    account.id,
    user.email,
  ]);
}

/** Leaves a call that no node has claimed, which ends at once, and one that its node has to end. */
async function placeCalls(): Promise<void> {
  await query(
    `insert into media_nodes (name, secret_hash, sip_address, created_at) values ('m1', sha256('m1'), '10.0.0.1:5060', now())`,
  );
  const placed = [await account.call(), await account.call()];
  await query("update live_calls set node = 'm1', claimed_at = now() where call_id = $1", [
    placed[0]?.body.id,
  ]);
  expect(await account.running()).toBe(2);
}

test('OPER-14 each operator command works with these rights', async () => {
  for (const [command, args, before] of commands) {
    await before?.();
    const { kind, changesWith } = commandRules[command] ?? {};
    const needsReason = kind === 'change' || changesWith || command === 'operators bootstrap';
    const outcome = await run([...command.split(' '), ...args(), ...(needsReason ? reason : [])]);
    expect({ command, code: outcome.code, err: outcome.err }).toEqual({ command, code: 0, err: '' });
    if (command === 'account block') expect(await account.running()).toBe(1);
  }
  // The rest need a login: the tests of operators run them.
  const others = Object.keys(commandRules).filter((path) => commandRules[path]?.kind !== 'machine');
  const rest = others.filter((path) => !commands.some(([command]) => command === path));
  expect(rest.filter((path) => !/^(operators?|operator-log|approvals) /.test(path))).toEqual([]);
});
