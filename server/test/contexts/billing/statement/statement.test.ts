import { afterAll, beforeAll, expect, test } from 'vitest';
import { adjustCredit } from '../../../../src/contexts/billing/index.ts';
import { wallTime } from '../../../../src/platform/time.ts';
import {
  addDeck,
  billingOfCall,
  billingOfCharge,
  giveCredit,
  readBalance,
  within,
} from '../../../harness/fixtures/billing.ts';
import { insertCalls } from '../../../harness/fixtures/call-rows.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

interface Line {
  id: string;
  number: number;
  createdAt: string;
  type: string;
  reference: string;
  description: string;
  amount: number;
  balance: number;
  call: object | null;
}

let platform: Platform;
let account: TestAccount;
let callId: string;
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  platform.clock.freeze();
  await addDeck(platform, [{ prefix: '55', price: 0.3 }]);
  account = await createAccount(platform);
  await fillBook();
});
afterAll(() => platform.close());

/** Posts a charge, a call, a free call, a running call, a gift, a debit and a refund, one minute apart. */
async function fillBook(): Promise<void> {
  const charge = billingOfCharge(platform, account, 1, 25.5);
  await charge.credit({ feeMicros: 1_990_000 });
  platform.clock.advance(60);
  const call = billingOfCall(platform, account);
  callId = call.callId;
  await call.hold();
  await call.renew(30);
  platform.clock.advance(60);
  await call.settle(61);
  const short = billingOfCall(platform, account);
  await short.hold();
  await short.settle(2);
  await billingOfCall(platform, account).hold();
  platform.clock.advance(60);
  await giveCredit(platform, account.id, 0.1);
  platform.clock.advance(60);
  await giveCredit(platform, account.id, -0.0001);
  platform.clock.advance(60);
  await charge.takeBack('refund');
}

const amounts = [-25.5, -0.0001, 0.1, -0.33, 25.5];

const list = async (filter?: object, query: Record<string, string> = { page: '1' }) =>
  await account.admin.client.list('/accounts/statement', filter, query);
const listLines = async (filter?: object): Promise<Line[]> => (await list(filter)).body.data;

test('LEDGER-01 LEDGER-02 the balance is numbers in reais, with available = balance - held', async () => {
  const balance = await readBalance(account);
  expect(balance).toEqual({ balance: -0.2301, held: 0.3, available: -0.5301, currency: 'BRL' });
});

test('LEDGER-01 LEDGER-03 lists balance changes, newest first, each with the balance after it', async () => {
  const lines = await listLines();
  expect(lines.map((line) => line.amount)).toEqual(amounts);
  expect(lines.map((line) => line.type)).toEqual(['refund', 'adjustment', 'adjustment', 'call', 'charge']);
  expect(lines.map((line) => line.balance)).toEqual([-0.2301, 25.2699, 25.27, 25.17, 25.5]);
  expect(lines.map((line) => line.reference)).toEqual([
    '1',
    expect.any(String),
    expect.any(String),
    callId,
    '1',
  ]);
});

test('LEDGER-03 the sum of the statement is the balance', async () => {
  const micros = (await listLines()).reduce((sum, line) => sum + Math.round(line.amount * 1e6), 0);
  expect(micros / 1e6).toBe((await readBalance(account)).balance);
});

test('LEDGER-03 entries are append-only: earlier lines never change', async () => {
  const other = await createAccount(platform);
  const earlier: Line[] = [];
  for (let round = 0; round < 5; round += 1) {
    await giveCredit(platform, other.id, round + 0.01);
    platform.clock.advance(1);
    const lines: Line[] = (await other.admin.client.list('/accounts/statement', undefined, { page: '1' }))
      .body.data;
    expect(lines.slice(1)).toEqual(earlier);
    earlier.unshift(lines[0] as Line);
  }
});

test('LEDGER-04 many small credits and debits leave no residue', async () => {
  const other = await createAccount(platform);
  await within(platform, other.id, async (tx) => {
    for (let step = 0; step < 300; step += 1) {
      await adjustCredit(tx, platform.api.app, {
        accountId: other.id,
        micros: step % 3 === 2 ? -300_000 + 1 : step % 3 === 1 ? 200_000 : 100_000,
        reason: 'Rounding: 0.1 + 0.2 - 0.299999',
        key: `step ${step}`,
        at: platform.clock.now(),
      });
    }
  });
  expect(await readBalance(other)).toMatchObject({ balance: 0.0001, available: 0.0001 });
});

test('the statement is paged by number and by cursor', async () => {
  const first = await list({ limit: 2 });
  expect(first.body.meta).toMatchObject({
    totalItemCount: 5,
    totalPageCount: 3,
    currentPage: 1,
    nextPage: 2,
  });
  const last = await list({ limit: 2 }, { page: '3' });
  expect(last.body.data.map((line: Line) => line.amount)).toEqual([25.5]);
  const seen: number[] = [];
  let url = first.headers.link;
  seen.push(...first.body.data.map((line: Line) => line.amount));
  while (url) {
    const path = /<\/api\/v1([^>]+)>/.exec(url)?.[1] ?? '';
    const page = await account.admin.client.get(path);
    seen.push(...page.body.data.map((line: Line) => line.amount));
    url = page.headers.link;
  }
  expect(seen).toEqual(amounts);
});

test('the statement is filtered by type, amount, date, reference and text', async () => {
  const listAmounts = async (where: object) => (await listLines({ where })).map((line) => line.amount);
  expect(await listAmounts({ type: 'call' })).toEqual([-0.33]);
  expect(await listAmounts({ type: { inq: ['charge', 'refund'] } })).toEqual([-25.5, 25.5]);
  expect(await listAmounts({ amount: { lt: 0 } })).toEqual([-25.5, -0.0001, -0.33]);
  expect(await listAmounts({ amount: -0.0001 })).toEqual([-0.0001]);
  expect(await listAmounts({ balance: { gte: 25.27 } })).toEqual([0.1, 25.5]);
  expect(await listAmounts({ reference: callId })).toEqual([-0.33]);
  expect(await listAmounts({ description: { like: 'Refund%' } })).toEqual([-25.5]);
  const [newest] = await listLines();
  expect(await listAmounts({ createdAt: { gte: newest?.createdAt } })).toEqual([-25.5]);
  expect(await listAmounts({ date: { lt: newest?.createdAt } })).toEqual(amounts.slice(1));
  expect((await listLines({ order: 'createdAt ASC' })).map((line) => line.amount)).toEqual(
    [...amounts].reverse(),
  );
  expect(await listLines({ fields: ['amount'], limit: 1 })).toEqual([{ amount: -25.5 }]);
  expect((await list({ where: { type: 'hold' } })).status).toBe(400);
  expect((await list({ where: { account_id: 1 } })).status).toBe(400);
});

test('the statement is available as CSV, with texts that no spreadsheet evaluates', async () => {
  const other = await createAccount(platform);
  await within(platform, other.id, (tx) =>
    adjustCredit(tx, platform.api.app, {
      accountId: other.id,
      micros: -0 + 1_500_000,
      reason: '=HYPERLINK("http://x", "a,b")\nsecond line',
      key: 'gift',
      at: platform.clock.now(),
    }),
  );
  const [line] = (await other.admin.client.list('/accounts/statement', undefined, { page: '1' })).body.data;
  const answer = await other.admin.client.get('/accounts/statement?page=1', {
    headers: { accept: 'text/csv' },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.text).toBe(
    'id,number,createdAt,type,reference,description,amount,balance\r\n' +
      `${line.id},1,${line.createdAt},adjustment,gift,"'=HYPERLINK(""http://x"", ""a,b"")\nsecond line",1.5,1.5\r\n`,
  );
});

test('LEDGER-18 LEDGER-19 lines say who called whom, also in the file for Brazilian spreadsheets', async () => {
  expect((await listLines({ where: { type: 'call' } })).map(({ call }) => call)).toEqual([null]);
  await insertCalls(platform.database, account, [
    {
      id: callId,
      startedAt: platform.clock.now(),
      from: '1000',
      to: '5511987654321',
      firstName: 'Ana',
      lastName: 'Souza',
      duration: 61,
    },
  ]);
  const shown = { from: '1000', to: '5511987654321', name: 'Ana Souza', duration: 61 };
  const lines = await listLines();
  expect(lines.map(({ type, call }) => call ?? type)).toEqual([
    'refund',
    'adjustment',
    'adjustment',
    shown,
    'charge',
  ]);
  const payer = await account.addUser('USER');
  const onlyMoney = { calls: 'own', recordings: 'none', money: true, webhooks: false, supervision: false };
  await account.admin.client.request('PUT', `/users/${payer.uuid}/permissions`, { body: onlyMoney });
  const unseen = (await payer.client.list('/accounts/statement', undefined, { page: '1' })).body.data;
  expect(unseen.map(({ call }: Line) => call)).toEqual([null, null, null, null, null]);

  const { text, headers } = await list(undefined, { page: '1', format: 'excel-br' });
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  const rows = text.split('\r\n');
  expect(rows[0]).toBe(
    '\uFEFFData;Tipo;Ramal;Pessoa;Para;Duração (s);Valor (R$);Saldo (R$);Descrição;Referência;Lançamento',
  );
  const at = wallTime(new Date(lines[3]?.createdAt ?? ''), 'America/Sao_Paulo');
  const [day = '', time = ''] = at.split(' ');
  expect(rows[4]).toBe(
    `${day.split('-').toReversed().join('/')} ${time};Chamada;1000;Ana Souza;(11) 98765-4321;61;-0,33;25,17;;${callId};${lines[3]?.number}`,
  );
  expect(rows[2]).toContain(';Ajuste do operador;;;;;-0,0001;25,2699;');
  const standard = await list(undefined, { page: '1', format: 'standard' });
  const accepted = await account.admin.client.get('/accounts/statement?page=1', {
    headers: { accept: 'text/csv' },
  });
  expect(standard.text).toBe(accepted.text);
});

test('LEDGER-13 balance and statement are for ADMINs, a call’s price for every user who sees the call', async () => {
  await account.admin.client.patch('/accounts', { usersSee: 'all' });
  const user = await account.addUser('USER');
  const second = await account.addUser('ADMIN');
  for (const path of ['/accounts/balance', '/accounts/statement?page=1']) {
    expect((await user.client.get(path)).status).toBe(403);
    expect((await second.client.get(path)).status).toBe(200);
    expect((await platform.client().get(path)).status).toBe(401);
  }
  for (const person of [user, second]) {
    expect((await person.client.get(`/calls/${callId}/price`)).body.callPrice).toBe(0.33);
  }
  expect((await platform.client().get(`/calls/${callId}/price`)).status).toBe(401);
  const otherAccount = await createAccount(platform);
  expect((await otherAccount.admin.client.get(`/calls/${callId}/price`)).status).toBe(404);
  expect(
    (await otherAccount.admin.client.list('/accounts/statement', undefined, { page: '1' })).body.data,
  ).toEqual([]);
  expect(await readBalance(otherAccount)).toMatchObject({ balance: 0 });
});
