import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCalls } from '../../../harness/fixtures/call-rows.ts';
import { addStoredRecording } from '../../../harness/fixtures/recordings.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
/** Ids of the calls, newest first. */
let ids: string[];

const start = Date.UTC(2026, 5, 1);
const names = ['=cmd()', '+1', '-1', '@sum', '\tx', 'Ana "A", B.', 'one\r\ntwo', 'Zé'];

beforeAll(async () => {
  // A separate platform, because a test changes a policy of the database.
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  const calls = Array.from({ length: 1_201 }, (_, n) => ({
    startedAt: new Date(start + n * 1000),
    firstName: names[n] ?? 'Ana',
    duration: n % 7,
    priceMicros: n === 0 ? null : { minute: 60_000, call: n },
    metadata: n === 5 ? { quote: '"', list: [1, 2], é: ';' } : {},
  }));
  ids = (await insertCalls(platform.database, account, calls)).reverse();
});
afterAll(() => platform?.close());

const fetchCsv = async (filter?: object) => {
  const answer = await account.admin.client.list('/calls/export', filter);
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  return answer;
};
const parseRows = (text: string): Record<string, string>[] =>
  parse(text, { columns: true, record_delimiter: '\r\n' });

test('CALL-41 exports every matching call once, in order, with all fields of the record', async () => {
  const answer = await fetchCsv();
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.headers['content-disposition']).toBe('attachment; filename="calls.csv"');
  const rows = parseRows(answer.text);
  expect(rows.map(({ id }) => id)).toEqual(ids);
  const [record] = (await account.admin.client.list('/calls', undefined, { page: '1' })).body.data;
  expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(record));
  for (const [name, value] of Object.entries(record)) {
    const text = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
    expect(rows[0]?.[name], name).toBe(text);
  }
  expect(rows.at(-1)).toMatchObject({ minute_price: '', call_price: '', record_url: '' });
});

test('CALL-41 escapes spreadsheet formulas and preserves quotes, commas and line breaks', async () => {
  const { text } = await fetchCsv({
    where: { date: { lt: new Date(start + 8_000).toISOString() } },
    order: 'id',
  });
  const rows = parseRows(text);
  expect(rows.map((row) => row.first_name)).toEqual([
    "'=cmd()",
    "'+1",
    "'-1",
    "'@sum",
    "'\tx",
    'Ana "A", B.',
    'one\r\ntwo',
    'Zé',
  ]);
  expect(JSON.parse(rows[5]?.metadata ?? '')).toEqual({ quote: '"', list: [1, 2], é: ';' });
});

test('CALL-41 the filter selects calls, order, columns and limit', async () => {
  const { text } = await fetchCsv({
    where: { duration: 3 },
    fields: ['to', 'duration'],
    order: 'id',
    limit: 600,
  });
  const lines = text.trim().split('\r\n');
  expect(lines[0]).toBe('to,duration');
  expect(lines.slice(1)).toEqual(Array.from({ length: 172 }, () => '5511987654321,3'));
  const cut = await fetchCsv({ limit: 777, offset: 2 });
  expect(parseRows(cut.text).map(({ id }) => id)).toEqual(ids.slice(2, 779));
  expect(parseRows((await fetchCsv({ limit: 1 })).text)).toHaveLength(1);
  expect((await fetchCsv({ where: { duration: 99 } })).text.split('\r\n')).toHaveLength(2);
});

const excel = async (filter: object, more: Record<string, string> = {}) => {
  const answer = await account.admin.client.list('/calls/export', filter, { format: 'excel-br', ...more });
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  expect(answer.text.startsWith('\uFEFF')).toBe(true);
  return parse(answer.text, { bom: true, columns: true, delimiter: ';', record_delimiter: '\r\n' }) as Record<
    string,
    string
  >[];
};

test('CALL-68 writes files that spreadsheets with Brazilian settings read', async () => {
  await account.admin.client.patch('/accounts', { timezone: 'America/Manaus' });
  const rows = await excel({ order: 'id' });
  expect(rows).toHaveLength(ids.length);
  expect(rows.map((row) => row['ID da chamada'])).toEqual(ids.toReversed());
  expect(rows[0]).toMatchObject({
    Início: '31/05/2026 20:00:00',
    Sentido: 'realizada',
    Para: '(11) 98765-4321',
    Nome: "'=cmd()",
    'Duração (s)': '0',
    'Preço (R$)': '',
  });
  expect(rows[5]).toMatchObject({
    Nome: 'Ana "A", B.',
    Status: 'encerrada',
    'Motivo do encerramento': 'Encerramento normal',
    'Atendida em': '31/05/2026 20:00:15',
    'Duração (s)': '5',
    'Preço por minuto (R$)': '0,06',
    'Preço (R$)': '0,000005',
  });
  expect(JSON.parse(rows[5]?.Metadados ?? '')).toEqual({ quote: '"', list: [1, 2], é: ';' });
  const some = await excel({ where: { duration: 3 }, fields: ['call_price', 'to'], limit: 1, order: 'id' });
  expect(some).toEqual([{ 'Preço (R$)': '0,000003', Para: '(11) 98765-4321' }]);
  await account.admin.client.patch('/accounts', { timezone: 'America/Sao_Paulo' });
});

test('CALL-69 links in a file lead to the console, or say when they expire', async () => {
  const id = await addStoredRecording(platform, account.id);
  await insertCalls(platform.database, account, [{ id, startedAt: new Date(start - 1_000), recorded: true }]);
  const filter = { where: { id }, fields: ['record_url'] };
  const inConsole = `http://api.disca.test/calls/${id}`;
  expect(await excel(filter)).toEqual([{ 'Gravação (abre no console, com login)': inConsole }]);
  const [signed] = await excel(filter, { links: 'signed' });
  expect(signed?.['Gravação (link válido por 15 minutos)']).toContain(`/recordings/${id}?signature=`);
  const standard = async (links?: string) =>
    (await account.admin.client.list('/calls/export', filter, { ...(links && { links }) })).text.split(
      '\r\n',
    )[1];
  expect(await standard()).toContain(`/recordings/${id}?signature=`);
  expect(await standard('console')).toBe(inConsole);
});

test('CALL-41 rejects an invalid export before the file starts', async () => {
  for (const filter of [{ where: { nothing: 1 } }, { include: ['timeline'] }, { limit: 0 }]) {
    const answer = await account.admin.client.list('/calls/export', filter);
    expect(answer.status).toBe(400);
    expect(answer.body.error.errorCode).toBe('INVALID_FILTER');
  }
  const byPage = await account.admin.client.get('/calls/export', { query: { page: '1' } });
  expect(byPage.status).toBe(400);
  expect((await platform.client().get('/calls/export')).status).toBe(401);
});

test('CALL-41 closes the connection when the file cannot be completed', async () => {
  const url = await platform.listen();
  await platform.database.query(
    `create function break_at(id uuid) returns boolean language plpgsql as $$
     begin if id = '${ids[700]}' then raise exception 'broken'; end if; return true; end $$;
     alter policy own_account on calls using (account_id = current_account() and break_at(id))`,
  );
  const answer = await fetch(`${url}/api/v1/calls/export`, {
    headers: { authorization: account.admin.token },
  });
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
  await platform.database.query('alter policy own_account on calls using (account_id = current_account())');
});
