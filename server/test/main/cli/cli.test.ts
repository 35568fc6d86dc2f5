import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Outcome, runOperator, runOperatorProcess } from '../../harness/operator-cli.ts';
import { createAccount, password, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let folder: string;
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  folder = await mkdtemp(join(tmpdir(), 'disca-cli-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await platform.close();
});

const disca = (...args: string[]): Promise<Outcome> => runOperator(platform, args);

async function json(...args: string[]) {
  const { code, out, err } = await disca(...args, '--json');
  expect(err).toBe('');
  return { code, value: JSON.parse(out) };
}

const writeInput = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
};

test('imports rates from CSV after a dry run that shows the changes and makes none', async () => {
  const first = await writeInput(
    'first.csv',
    'prefix,description,price_per_minute\n55,Brasil,0.12\n5511,São Paulo,0.08\n',
  );
  const trial = await json('rates', 'import', first, '--from', '2026-01-01', '--dry-run');
  expect(trial.value).toMatchObject({
    added: [{ prefix: '55' }, { prefix: '5511' }],
    removed: [],
    changed: [],
  });
  expect((await json('rates', 'list')).value).toEqual([]);
  await json('rates', 'import', first, '--from', '2026-01-01');

  const second = await writeInput(
    'second.csv',
    'prefix,price_per_minute,minimum_seconds,step_seconds,free_seconds\n55,0.2,60,60,0\n551,0.1,,,\n',
  );
  const change = await json('rates', 'import', second, '--from', '2999-01-01');
  expect(change.value).toMatchObject({
    added: [{ prefix: '551', minimumSeconds: 30, stepSeconds: 6, freeSeconds: 3 }],
    removed: [{ prefix: '5511' }],
    changed: [
      {
        before: { pricePerMinuteMicros: 120_000 },
        after: { pricePerMinuteMicros: 200_000, minimumSeconds: 60 },
      },
    ],
  });
  expect((await json('rates', 'show')).value).toMatchObject({ deck: { name: 'first.csv', rates: 2 } });
  const later = await json('rates', 'show', '--at', '2999-06-01', '--number', '5521');
  expect(later.value.rates).toMatchObject([{ prefix: '55' }]);
});

test('a rate deck takes effect at the start of a day in São Paulo, or at a time with a zone', async () => {
  const deck = await writeInput('dated.csv', 'prefix,price_per_minute\n55,0.3\n');
  await json('rates', 'import', deck, '--from', '2998-12-01');
  const shown = await json('rates', 'show', '--at', '2998-12-01T03:00:00Z');
  expect(shown.value.deck).toMatchObject({ name: 'dated.csv', effectiveFrom: '2998-12-01T03:00:00.000Z' });
  const unclear = await disca('rates', 'import', deck, '--from', '2998-12-01T00:00');
  expect(unclear.err).toContain('Expected a date in São Paulo');
});

test('rejects a faulty price list as a whole, with every fault by line', async () => {
  const bad = await writeInput('bad.csv', 'prefix,price_per_minute\nabc,1\n55,x\n55,0.1\n');
  const { code, err } = await disca('rates', 'import', bad, '--from', '2026-03-01');
  expect(code).toBe(1);
  expect(err).toBe(
    'Line 2: prefix must be 1 to 15 digits.\nLine 3: price_per_minute must be reais such as 0.12.\nLine 4: prefix 55 is a duplicate.\n',
  );
});

test('adds and removes credit with a reason for the customer, once per key, never below zero', async () => {
  const adjust = (amount: string, ...more: string[]) =>
    disca('credit', 'adjust', account.domain, amount, '--reason', 'Boas-vindas', ...more);
  expect((await adjust('25.50', '--key', 'welcome')).out).toContain('R$ 25.5 available');
  expect((await adjust('25.50', '--key', 'welcome')).out).toContain('R$ 25.5 available');
  expect((await adjust('-5.5')).out).toContain('R$ 20 available');
  const tooMuch = await adjust('-20.01');
  expect(tooMuch).toMatchObject({
    code: 1,
    err: 'The account has less available credit than this would remove.\n',
  });
  const log = await account.admin.client.list(
    '/audit',
    { where: { action: 'credit.adjust' } },
    { page: '1' },
  );
  expect(log.body.data.map(({ after }: { after: { amount: number } }) => after.amount)).toEqual([-5.5, 25.5]);
  const statement = await account.admin.client.list('/accounts/statement', undefined, { page: '1' });
  expect(statement.body.data).toMatchObject([
    { amount: -5.5, type: 'adjustment', description: 'Boas-vindas' },
    { amount: 25.5, type: 'adjustment', description: 'Boas-vindas' },
  ]);
});

test('shows, blocks, unblocks, sets, exports and closes an account, and writes the audit log', async () => {
  const other = await createAccount(platform);
  expect((await json('account', 'show', other.uuid)).value).toMatchObject({
    id: other.id,
    status: 'active',
    mode: 'test',
  });

  await json('account', 'block', other.domain);
  expect((await other.admin.client.get('/users/me')).status).toBe(401);
  const login = () => platform.client().post('/users/login', { email: other.admin.email, password });
  expect((await login()).body.error.errorCode).toBe('LOGIN_FAILED');
  expect(await disca('account', 'block', other.domain)).toMatchObject({ code: 1 });
  await json('account', 'unblock', other.domain);
  expect((await other.admin.client.get('/users/me')).status).toBe(200);

  await json('account', 'go-live', String(other.id));
  expect((await other.admin.client.get('/accounts')).body.mode).toBe('live');
  const log = await other.admin.client.list(
    '/audit',
    { where: { action: { like: 'account.%' } } },
    { page: '1' },
  );
  expect(log.body.data.map((entry: { action: string }) => entry.action)).toEqual([
    'account.mode',
    'account.unblock',
    'account.block',
    'account.signup',
  ]);

  const exported = await disca('account', 'export', other.domain);
  const data = JSON.parse(exported.out);
  expect(data).toMatchObject({ account: { domain: other.domain }, users: [{ email: other.admin.email }] });
  expect(exported.out).not.toContain('argon2');

  await json('account', 'close', other.domain);
  expect((await other.admin.client.get('/users/me')).status).toBe(401);
  expect(await disca('account', 'unblock', other.domain)).toMatchObject({
    code: 1,
    err: `${other.domain} is closed and cannot become active.\n`,
  });
});

test('a ledger audit exits with 1 when a balance is wrong, and names it', async () => {
  expect(await disca('ledger', 'audit')).toMatchObject({ code: 0, out: 'The ledger is clean.\n' });
  await platform.database.query(
    'update ledger_balances set available_micros = available_micros + 1 where account_id = $1',
    [account.id],
  );
  const { code, value } = await json('ledger', 'audit');
  expect(code).toBe(1);
  expect(value).toHaveLength(1);
});

test('the program reports a failure in one plain line, and a result as JSON', async () => {
  expect(await runOperatorProcess(platform, ['account', 'show', 'unknown'])).toEqual({
    code: 1,
    out: '',
    err: 'Account not found. Give its domain, UUID or number.\n',
  });
  const shown = await runOperatorProcess(platform, ['account', 'show', account.domain, '--json']);
  expect(shown).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(shown.out)).toMatchObject({ domain: account.domain });
});
