import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logInOperator, type OperatorRole, setUpOperator } from '../../../src/contexts/operators/index.ts';
import { pathOf } from '../../../src/main/cli/act.ts';
import { commandRules } from '../../../src/main/cli/command-rules.ts';
import { operatorCommands } from '../../../src/main/cli/commands.ts';
import { operatorSessionFile, writeOperatorToken } from '../../../src/main/cli/operator-session.ts';
import { stopTime } from '../../harness/clock.ts';
import { totpCode } from '../../harness/factors.ts';
import { mailsTo } from '../../harness/mailbox.ts';
import {
  addNamedOperator,
  openOperator,
  operatorPassword as secret,
  type TestOperator,
} from '../../harness/operator.ts';
import {
  type Outcome,
  runOperator,
  runOperatorProcess,
  withOperatorSettings,
} from '../../harness/operator-cli.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { cheapPasswords, type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let owner: TestOperator;
let folder: string;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'disca-operators-'));
  process.env.DISCA_CONFIG_DIR = folder;
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  owner = openOperator(platform);
});
afterAll(async () => {
  delete process.env.DISCA_CONFIG_DIR;
  delete process.env.DISCA_OPERATOR_TOKEN;
  await owner.close();
  await platform.close();
  await rm(folder, { recursive: true });
});

const deps = () => ({ ...owner, passwords: cheapPasswords() });

async function createOperator(name: string, role: OperatorRole): Promise<void> {
  tokens[name] = (await addNamedOperator(owner, { name, role })).token;
}

async function as(name: string | undefined, ...args: string[]): Promise<Outcome> {
  process.env.DISCA_OPERATOR_TOKEN = (name && tokens[name]) ?? '';
  return await runOperator(platform, args);
}

/** Returns the newest set-up code mailed to an operator. */
async function codeOf(name: string): Promise<string> {
  const mails = await mailsTo(platform, `${name}@disca.test`);
  const newest = mails.findLast((mail) => mail.template === 'operator-code');
  return newest?.template === 'operator-code' ? newest.data.code : '';
}

const query = <Row extends object>(text: string) => platform.database.query<Row>(text);
const balance = async () => (await account.admin.client.get('/accounts/balance')).body.available;
const decide = (name: string, decision: 'approve' | 'reject', id: unknown) =>
  as(name, 'approvals', decision, String(id), '--reason', 'checked');
const credit = (name: string, amount: string, ...more: string[]) =>
  as(name, 'credit', 'adjust', account.domain, amount, '--reason', 'Bônus', ...more);

test('OPER-01 every operator command has a rule, and every rule a command', () => {
  const program = new Command('disca');
  for (const each of operatorCommands({ args: [] })) program.addCommand(each);
  const actions = (command: Command): string[] => [
    ...(command.commands.length === 0 || pathOf(command) in commandRules ? [pathOf(command)] : []),
    ...command.commands.flatMap(actions),
  ];
  expect(program.commands.flatMap(actions).toSorted()).toEqual(Object.keys(commandRules).toSorted());
});

test('OPER-02 without operators commands need no login and are logged as the machine', async () => {
  expect((await as(undefined, 'account', 'block', account.domain)).code).toBe(0);
  expect((await as(undefined, 'account', 'unblock', account.domain)).code).toBe(0);
  expect(await query('select operator, command, target from operator_log order by seq')).toEqual([
    { operator: 'machine', command: 'account block', target: account.domain },
    { operator: 'machine', command: 'account unblock', target: account.domain },
  ]);
});

test('OPER-03 OPER-04 an operator logs in with password and code, once per code, and is held off', async () => {
  const two = (email: string) =>
    as(undefined, 'operators', 'bootstrap', 'ana', 'ana@disca.test', 'bia', email, '--json');
  expect((await two('ana@disca.test')).err).toContain('two people');
  expect(await query('select * from operators')).toEqual([]);
  expect((await two('mistyped@disca.test')).code).toBe(0);
  const made = await two('bia@disca.test');
  expect(await query('select name, role, email from operators order by id')).toEqual([
    { name: 'ana', role: 'owner', email: 'ana@disca.test' },
    { name: 'bia', role: 'owner', email: 'bia@disca.test' },
  ]);
  const code = await codeOf('ana');
  expect(made.out + made.err).not.toContain(code);
  const wrong = { name: 'ana', code: `${code}x`, password: secret };
  await expect(setUpOperator(deps(), wrong)).rejects.toThrow('wrong');
  await expect(setUpOperator(deps(), { ...wrong, code, password: 'short' })).rejects.toThrow('12 characters');
  const { secret: app } = await setUpOperator(deps(), { name: 'ana', code, password: secret });
  await expect(setUpOperator(deps(), { name: 'ana', code, password: secret })).rejects.toThrow('wrong');

  const otp = totpCode(app, platform.clock.now());
  const login = (change: object = {}) =>
    logInOperator(deps(), { name: 'ana', password: secret, otp, ...change });
  await expect(login({ password: 'another password' })).rejects.toThrow('wrong');
  await expect(login({ otp: '000000' })).rejects.toThrow('wrong');
  tokens.ana = (await login()).token;
  await expect(login()).rejects.toThrow('wrong');
  for (let attempt = 1; attempt < 5; attempt += 1) await expect(login()).rejects.toThrow('wrong');
  await expect(login()).rejects.toThrow('Too many failed logins');

  const stored = await query<{ password_hash: string; totp_sealed: string }>(
    "select * from operators where name = 'ana'",
  );
  expect(stored[0]?.password_hash).toMatch(/^\$argon2id\$/);
  expect(JSON.stringify(stored)).not.toContain(app);
});

test('OPER-11 a person who has one login and the command line cannot become two operators', async () => {
  const outputs: Outcome[] = [];
  const attempt = async (...args: string[]) => {
    outputs.push(await as('ana', ...args));
    return outputs.at(-1)?.err;
  };
  const reason = ['--reason', 'test'];
  const before = await balance();
  expect(await attempt('credit', 'adjust', account.domain, '501', ...reason)).toContain('second operator');
  const [request] = await query<{ id: number }>('select id from operator_approvals');
  const approve = ['approvals', 'approve', String(request?.id), ...reason];
  expect(await attempt(...approve)).toContain('another operator has to approve');

  expect(await attempt('operators', 'bootstrap', 'ana', 'ana@disca.test', 'eva', 'eva@disca.test')).toContain(
    'operators already',
  );
  expect(await attempt('operators', 'add', 'eva', '--email', 'ana@disca.test', ...reason)).toContain(
    'second operator',
  );
  // The first code of the second operator may be sent again, to the address of that operator only.
  const first = await codeOf('bia');
  expect(await attempt('operators', 'reset', 'bia', ...reason)).toBe('');
  const code = await codeOf('bia');
  expect(code).not.toBe(first);
  expect(await attempt('operators', 'disable', 'bia', ...reason)).toBe('');
  expect(await attempt('operators', 'reset', 'bia', ...reason)).toContain('second operator');
  expect(await attempt('operators', 'bootstrap', 'ana', 'ana@disca.test', 'eva', 'eva@disca.test')).toContain(
    'operators already',
  );
  for (const { out, err } of outputs) for (const each of [first, code]) expect(out + err).not.toContain(each);
  const logged = JSON.stringify(await query('select * from operator_log'));
  for (const each of [first, code]) expect(logged).not.toContain(each);
  expect(await query('select name from operators where password_hash is not null')).toEqual([
    { name: 'ana' },
  ]);
  expect(await balance()).toBe(before);
  await query('delete from operator_approvals');
});

test('OPER-04 a command needs a session that has not expired, and each role its commands', async () => {
  await createOperator('sol', 'support');
  await createOperator('carla', 'finance');
  await createOperator('nina', 'network');
  expect(await as(undefined, 'account', 'list')).toMatchObject({
    code: 1,
    err: 'Log in first: disca operator login NAME\n',
  });
  for (const name of ['ana', 'sol', 'carla', 'nina'])
    expect(await as(name, 'account', 'show', account.domain), name).toMatchObject({ code: 0 });

  const may = async (name: string, ...args: string[]) => {
    const { err } = await as(name, ...args, '--reason', 'test');
    return !err.includes('needs the role');
  };
  const attempts = {
    credit: ['credit', 'adjust', 'unknown.disca.test', '1'],
    trunk: ['trunk', 'remove', 'unknown'],
    block: ['account', 'block', 'unknown.disca.test'],
  };
  const allowed = async (args: string[]) => {
    const names: string[] = [];
    for (const name of ['ana', 'sol', 'carla', 'nina']) if (await may(name, ...args)) names.push(name);
    return names;
  };
  expect(await allowed(attempts.credit)).toEqual(['ana', 'carla']);
  expect(await allowed(attempts.trunk)).toEqual(['ana', 'nina']);
  expect(await allowed(attempts.block)).toEqual(['ana']);

  await query(
    "update operator_sessions set expires_at = now() - interval '1 second' where operator_id = (select id from operators where name = 'sol')",
  );
  expect((await as('sol', 'account', 'list')).err).toContain('Log in first');
});

test('OPER-05 a change needs a reason, and the log and the audit entry of the account name the operator', async () => {
  const without = await as('ana', 'account', 'block', account.domain);
  expect(without).toMatchObject({ code: 1, err: expect.stringContaining('--reason') });
  expect((await account.admin.client.get('/users/me')).status).toBe(200);
  await as('ana', 'account', 'block', account.domain, '--reason', 'ticket 12');
  await as('ana', 'account', 'unblock', account.domain, '--reason', 'ticket 12 solved');
  const log = await as('ana', 'operator-log', 'list', '--json');
  expect(JSON.parse(log.out).slice(-2)).toMatchObject([
    { operator: 'ana', role: 'owner', command: 'account block', target: account.domain, reason: 'ticket 12' },
    { operator: 'ana', command: 'account unblock', reason: 'ticket 12 solved' },
  ]);
  const audit = await account.admin.client.list(
    '/audit',
    { where: { action: 'account.unblock' } },
    { page: '1' },
  );
  expect(audit.body.data[0]).toMatchObject({ actorUuid: null, actorEmail: 'operator ana' });
});

test('OPER-06 OPER-10 one operator cannot move more credit per day than the limit, also in parts', async () => {
  stopTime();
  const before = await balance();
  expect((await credit('carla', '300')).code).toBe(0);
  const more = await credit('carla', '200.01');
  expect(more).toMatchObject({ code: 1, err: expect.stringContaining('needs a second operator') });
  expect(await balance()).toBe(before + 300);

  const list = await as('ana', 'approvals', 'list', '--json');
  const [waiting] = JSON.parse(list.out) as { id: number }[];
  const id = waiting?.id;
  expect((await as('ana', 'approvals', 'approve', String(id))).err).toContain('--reason');
  expect((await decide('carla', 'approve', id)).err).toContain('another operator has to approve');
  expect((await decide('nina', 'approve', id)).err).toContain('needs the role finance or owner');
  expect(await balance()).toBe(before + 300);
  expect((await decide('ana', 'approve', id)).err).toBe('');
  expect(await balance()).toBe(before + 500.01);
  expect((await decide('ana', 'approve', id)).err).toContain(`No request ${id} waits`);
  expect(await balance()).toBe(before + 500.01);
  const [approval, entry] = await query(
    'select operator, command, target, reason, details from operator_log order by seq desc limit 3',
  ).then((rows) => rows.toReversed());
  expect(approval).toMatchObject({
    operator: 'ana',
    command: 'approvals approve',
    target: String(id),
    reason: 'checked',
  });
  expect(entry).toMatchObject({
    operator: 'carla',
    command: 'credit adjust',
    details: { approval: id, approvedBy: 'ana', approvedBecause: 'checked', amount: 200.01 },
  });
});

test('OPER-09 OPER-10 parallel commands of one operator do not exceed the limit together', async () => {
  stopTime();
  await createOperator('davi', 'finance');
  process.env.DISCA_OPERATOR_TOKEN = tokens.davi;
  const args = ['credit', 'adjust', account.domain, '200', '--reason', 'Bônus'];
  const checkOnly = async () => {
    const program = new Command('disca');
    for (const each of operatorCommands({ args })) program.addCommand(each);
    const adjust = program.commands
      .flatMap((each) => each.commands)
      .find((each) => pathOf(each) === 'credit adjust');
    adjust?.action(() => undefined);
    await program.parseAsync(args, { from: 'user' });
  };
  await withOperatorSettings(platform, async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, checkOnly));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });
  const logged = await query(
    `select command, (details->>'amount')::int as amount, details->>'command' as requested, target <> '' as "hasTarget"
       from operator_log where operator = 'davi' and command <> 'operator login' and command <> 'operator set-up'
      order by seq`,
  );
  const moved = { command: 'credit adjust', amount: 200, requested: null, hasTarget: true };
  const request = { command: 'approvals request', amount: 200, requested: 'credit adjust', hasTarget: true };
  expect(logged).toEqual([moved, moved, request, request, request, request]);
  await query("delete from operator_approvals where command = 'credit adjust' and decision is null");
});

test('OPER-06 live mode, high caps and budgets, and new operators need a second operator', async () => {
  // The template of the tests has no budgets.
  await query("update budgets set test_most = 3, live_most = 100 where resource = 'calls'");
  const refused = [
    ['account', 'go-live', account.domain],
    ['caps', 'set', account.domain, '--daily-spend', '2500.01'],
    ['budgets', 'set', account.domain, 'calls', 'none'],
    ['budgets', 'default', 'calls', '--test', '4'],
    ['operators', 'add', 'eva', '--email', 'eva@disca.test'],
    ['operators', 'reset', 'nina'],
  ];
  const operators = await query('select * from operators order by id');
  for (const args of refused)
    expect((await as('ana', ...args, '--reason', 'test')).err, args.join(' ')).toContain(
      'needs a second operator',
    );
  expect((await account.admin.client.get('/accounts')).body.mode).toBe('test');
  expect(await query('select * from operators order by id')).toEqual(operators);
  expect(
    (await as('ana', 'caps', 'set', account.domain, '--daily-spend', '2500', '--reason', 'test')).code,
  ).toBe(0);

  const list = JSON.parse((await as('carla', 'approvals', 'list', '--json')).out) as {
    id: number;
    command: string;
  }[];
  const live = list.find(({ command }) => command === 'account go-live')?.id;
  expect((await decide('carla', 'approve', live)).err).toBe('');
  expect((await account.admin.client.get('/accounts')).body.mode).toBe('live');
  const rejected = list.find(({ command }) => command === 'operators add')?.id;
  expect((await decide('sol', 'reject', rejected)).code).toBe(1);
  expect((await decide('ana', 'reject', rejected)).code).toBe(0);
  expect(
    await query('select operator, command, target, reason from operator_log order by seq desc limit 1'),
  ).toEqual([{ operator: 'ana', command: 'approvals reject', target: String(rejected), reason: 'checked' }]);
});

test('OPER-12 commands that administer the machine are logged with user and reason, also without a login', async () => {
  const newest = async () =>
    (
      await query<{ operator: string; details: Record<string, unknown> }>(
        'select operator, role, command, reason, details from operator_log order by seq desc limit 1',
      )
    )[0];
  const made = await as(undefined, 'keys', 'new', 'k9', '--reason', 'yearly change');
  expect(made).toMatchObject({ code: 0, err: '' });
  const entry = await newest();
  expect(entry).toMatchObject({ operator: 'machine', command: 'keys new', reason: 'yearly change' });
  expect(entry?.details).toMatchObject({
    user: expect.stringMatching(/./),
    host: expect.stringMatching(/./),
  });
  expect(JSON.stringify(entry)).not.toContain(made.out.trim().slice(3));

  expect((await as('ana', 'migrate')).code).toBe(0);
  expect(await newest()).toMatchObject({ operator: 'ana', command: 'migrate', reason: 'not given' });
  const before = await query('select seq from operator_log');
  expect((await as('ana', 'migrate', '--dry-run')).code).toBe(0);
  expect((await as('ana', 'migrate', 'status')).code).toBe(0);
  expect(await query('select seq from operator_log')).toEqual(before);
  const changes = ['backup create', 'keys new', 'migrate', 'restore', 'restore finish'];
  expect(Object.keys(commandRules).filter((path) => commandRules[path]?.isLogged)).toEqual(changes);
});

test('OPER-12 a command that cannot write its entry runs, and reports it', async () => {
  const elsewhere = { database: { ...platform.database, ownerUrl: 'postgresql://absent@127.0.0.1:1/none' } };
  const made = await runOperator(elsewhere, ['keys', 'new', 'k9']);
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^k9:/) });
  expect(made.err).toContain('disca keys new is not in the operator log');
});

test('OPER-07 the log is append-only, and a changed or removed entry is found, also the last', async () => {
  await expect(query('update operator_log set reason = reason')).rejects.toThrow('append-only');
  await expect(query('delete from operator_log')).rejects.toThrow('append-only');
  await expect(query('truncate operator_log')).rejects.toThrow('append-only');
  const verify = async (...more: string[]) => {
    const { code, out } = await as('ana', 'operator-log', 'verify', '--json', ...more);
    return { code, ...(JSON.parse(out) as { head: string; faults: string[] }) };
  };
  const { code, head, faults } = await verify();
  expect([code, faults]).toEqual([0, []]);
  const count = Number(head.split(':')[0]);

  const tampered = async (statement: string, restore: string) => {
    await query('alter table operator_log disable trigger append_only');
    await query('create table kept as select * from operator_log');
    await query(statement);
    const found = await verify('--head', head);
    await query(
      `delete from operator_log; insert into operator_log select * from kept; drop table kept; ${restore}`,
    );
    await query('alter table operator_log enable always trigger append_only');
    return found;
  };
  for (const column of ['reason', 'operator', 'command', 'target', 'role'])
    expect(
      await tampered(`update operator_log set ${column} = ${column} || 'x' where seq = 2`, ''),
      column,
    ).toMatchObject({
      code: 1,
      faults: ['Entry 2: changed.'],
    });
  expect((await tampered(`update operator_log set details = '{"x": 1}' where seq = ${count}`, '')).code).toBe(
    1,
  );
  expect((await tampered(`update operator_log set at = at + interval '1 ms' where seq = 3`, '')).code).toBe(
    1,
  );
  expect((await tampered('delete from operator_log where seq = 2', '')).faults[0]).toContain('Entry 3');
  expect((await tampered(`delete from operator_log where seq = ${count}`, '')).faults).toHaveLength(2);

  // Removes the last entry and moves the head back: only the head that was noted shows it.
  const back = `update operator_log_head set (seq, hash) = (select seq, hash from operator_log order by seq desc limit 1)`;
  const shortened = await tampered(`delete from operator_log where seq = ${count}; ${back}`, back);
  expect(shortened.faults).toEqual([expect.stringContaining(`Entry ${count} is not the one that was noted`)]);
  expect((await verify('--head', head)).code).toBe(0);
});

test('OPER-04 a login is stored for its user only, and a disabled operator has no session', async () => {
  writeOperatorToken(tokens.carla ?? '');
  expect((await stat(operatorSessionFile())).mode & 0o777).toBe(0o600);
  expect(await as(undefined, 'operator', 'whoami')).toMatchObject({ out: 'carla, finance\n' });
  expect((await as('ana', 'operators', 'disable', 'carla', '--reason', 'left')).code).toBe(0);
  expect((await as('carla', 'account', 'list')).err).toContain('Log in first');
  const shown = await runOperatorProcess(platform, ['account', 'list']);
  expect(shown).toMatchObject({ code: 1, err: 'Log in first: disca operator login NAME\n' });
});

test('OPER-16 the statement of the manual gives an operator who is disabled a new set-up code', async () => {
  const page = await readFile(new URL('../../../../docs/operate/operators.md', import.meta.url), 'utf8');
  const [, statement = ''] = /```sql\n(UPDATE operators [\s\S]+?)```/.exec(page) ?? [];
  const code = 'a-long-random-code';
  await query(
    "update operators set disabled_at = now(), password_hash = null, totp_sealed = null, held_until = now() + interval '1 day'",
  );
  await query(statement.replace('THE CODE', code));
  // The clock of the test may be ahead.
  await platform.database.query('update operators set setup_expires_at = $1 where setup_expires_at > now()', [
    new Date(platform.clock.now().getTime() + 3_600_000),
  ]);
  const { secret: app } = await setUpOperator(deps(), { name: 'ana', code, password: secret });
  const otp = totpCode(app, platform.clock.now());
  const { token, operator } = await logInOperator(deps(), { name: 'ana', password: secret, otp });
  expect(operator).toMatchObject({ name: 'ana', role: 'owner' });
  tokens.ana = token;
  const log = await as('ana', 'operator-log', 'list', '--limit', '2', '--json');
  expect(JSON.parse(log.out)).toMatchObject([
    { operator: 'ana', command: 'operator set-up' },
    { operator: 'ana', command: 'operator login' },
  ]);
});
