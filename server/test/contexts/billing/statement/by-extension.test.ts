import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayInSaoPaulo, startOfDay } from '../../../../src/platform/time.ts';
import { addDeck, giveCredit } from '../../../harness/fixtures/billing.ts';
import { addChargedCall } from '../../../harness/fixtures/charged-calls.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let erasedId: string;
const month = '2026-10';
const monthStart = startOfDay('2026-10-01', 'America/Sao_Paulo');
const monthEnd = startOfDay('2026-11-01', 'America/Sao_Paulo');

const ana = { from: '1000', firstName: 'Ana', lastName: 'Souza', email: 'ana@empresa.test' };
const beto = { from: '1001', firstName: 'Beto', lastName: 'Sá', email: 'beto@empresa.test' };
const after = (start: Date, seconds: number): Date => new Date(start.getTime() + seconds * 1000);

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  await addDeck(platform, [{ prefix: '55', price: 0.3 }]);
  account = await createAccount(platform);
  await giveCredit(platform, account.id, 100);
  const add = (call: Parameters<typeof addChargedCall>[2]) => addChargedCall(platform, account, call);
  // Starts in September and ends in October: a call is charged at its end.
  await add({ ...ana, startedAt: after(monthStart, -20), duration: 61 });
  await add({ ...ana, startedAt: after(monthStart, 3600), duration: 30 });
  await add({ ...ana, startedAt: after(monthStart, 7200), duration: 0, firstName: 'Ana Maria' });
  await add({ ...beto, startedAt: after(monthStart, 9000), duration: 20 });
  // The same extension after it has changed hands.
  await add({ ...beto, from: '1000', startedAt: after(monthEnd, -120), duration: 40 });
  erasedId = await add({ ...beto, startedAt: after(monthStart, 86_400), duration: 60 });
  await platform.database.query('delete from calls where id = $1', [erasedId]);
  // Outside of the month: one that ends before it, and one that ends after it.
  await add({ ...ana, startedAt: after(monthStart, -120), duration: 30 });
  await add({ ...ana, startedAt: after(monthEnd, -20), duration: 30 });
});
afterAll(() => platform.close());

const read = async (query: Record<string, string> = { month }, client = account.admin.client) =>
  await client.get('/accounts/statement/by-extension', { query });

const readTotals = async () =>
  (
    await account.admin.client.get('/accounts/statement/totals', {
      query: { since: monthStart.toISOString(), until: monthEnd.toISOString() },
    })
  ).body;

const rows = [
  {
    extension: '1000',
    name: 'Ana Maria Souza',
    email: ana.email,
    calls: 3,
    answered: 2,
    talkSeconds: 91,
    amount: 0.48,
  },
  {
    extension: '1000',
    name: 'Beto Sá',
    email: beto.email,
    calls: 1,
    answered: 1,
    talkSeconds: 40,
    amount: 0.21,
  },
  {
    extension: '1001',
    name: 'Beto Sá',
    email: beto.email,
    calls: 1,
    answered: 1,
    talkSeconds: 20,
    amount: 0.15,
  },
];

test('LEDGER-21 the calls of a month are summed by extension and person, and add up to the statement', async () => {
  const { body } = await read();
  expect(body).toEqual({
    month,
    timezone: 'America/Sao_Paulo',
    since: monthStart.toISOString(),
    until: monthEnd.toISOString(),
    data: rows,
    otherCalls: { calls: 1, amount: 0.3 },
    total: { calls: 6, answered: 5, talkSeconds: 151, amount: 1.14 },
  });
  expect((await readTotals()).calls).toBe(-body.total.amount);
});

test('LEDGER-21 the default is the current month, and other texts are refused', async () => {
  platform.clock.freeze();
  const { body } = await read({});
  expect(body.month).toBe(dayInSaoPaulo(platform.clock.now()).slice(0, 7));
  for (const wrong of ['2026-13', '2026-1', '1969-12', '2026', 'November', ''])
    expect((await read({ month: wrong })).status).toBe(422);
});

test('LEDGER-21 PERM-04 a user who sees own calls gets those of others in one sum', async () => {
  const payer = await account.addUser('USER');
  const body = { calls: 'own', recordings: 'none', money: true, webhooks: false, supervision: false };
  await account.admin.client.request('PUT', `/users/${payer.uuid}/permissions`, { body });
  const seen = (await read({ month }, payer.client)).body;
  expect(seen).toMatchObject({
    data: [],
    otherCalls: { calls: 5, amount: 1.14 },
    total: { calls: 5, answered: 5, talkSeconds: 0, amount: 1.14 },
  });
});

test('LEDGER-21 another account sees nothing of it', async () => {
  const other = await createAccount(platform);
  expect((await read({ month }, other.admin.client)).body).toMatchObject({
    data: [],
    otherCalls: { calls: 0, amount: 0 },
    total: { calls: 0, answered: 0, talkSeconds: 0, amount: 0 },
  });
});

test('LEDGER-22 the month is available as CSV whose columns add up to the total', async () => {
  const excel = await read({ month, format: 'excel-br' });
  expect(excel.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(excel.text).toBe(
    [
      '\uFEFFRamal;Pessoa;E-mail;Chamadas;Atendidas;Conversa (s);Conversa (min);Valor (R$)',
      '1000;Ana Maria Souza;ana@empresa.test;3;2;91;1,52;0,48',
      '1000;Beto Sá;beto@empresa.test;1;1;40;0,67;0,21',
      '1001;Beto Sá;beto@empresa.test;1;1;20;0,33;0,15',
      ';Outras chamadas;;1;1;;;0,3',
      '',
    ].join('\r\n'),
  );
  const standard = await read({ month, format: 'standard' });
  expect(standard.text.split('\r\n')[0]).toBe(
    'extension,name,email,calls,answered,talkSeconds,minutes,amount',
  );
  const accepted = await account.admin.client.get(`/accounts/statement/by-extension?month=${month}`, {
    headers: { accept: 'text/csv' },
  });
  expect(accepted.text).toBe(standard.text);
});
