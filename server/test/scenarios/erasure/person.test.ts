import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTable } from '../../../src/contexts/accounts/export.store.ts';
import { auditLedger } from '../../../src/contexts/billing/index.ts';
import { indexCalls } from '../../../src/contexts/calls/search/index-calls.ts';
import { sweepRecordings } from '../../../src/contexts/recordings/sweep-recordings.ts';
import { erasePerson } from '../../../src/main/erase-person.ts';
import { inAccount } from '../../../src/platform/db/database.ts';
import { sealedSize } from '../../../src/platform/sealed-frames.ts';
import {
  type ErasureFixture,
  readTexts,
  startErasureFixture,
  tablesNaming,
} from '../../harness/fixtures/erasure.ts';
import { recordingPath } from '../../harness/fixtures/recordings.ts';
import { createAccount } from '../../harness/people.ts';

let fixture: ErasureFixture;

beforeAll(async () => {
  fixture = await startErasureFixture();
});
afterAll(() => fixture.close());

const readCall = async (callId: string) => {
  const [row] = await fixture.platform.database.query<Record<string, unknown>>(
    'select * from calls where id = $1',
    [callId],
  );
  return row;
};

const listen = async (callId: string) =>
  (await fixture.platform.client().get(recordingPath(fixture.platform, callId))).status;

const readMoney = (accountId: number) =>
  fixture.platform.database.query(
    `select (select jsonb_agg(to_jsonb(b)) from ledger_balances b where account_id = $1) as balances,
            (select jsonb_agg(to_jsonb(t) order by number) from ledger_transactions t where account_id = $1) as entries,
            (select jsonb_agg(to_jsonb(h) - 'destination' order by call_id) from call_holds h where account_id = $1) as holds`,
    [accountId],
  );

test('ACCT-07 erases a person by number from calls, events, holds and recordings; money and counts stay', async () => {
  const { platform, account, addCall, erase } = fixture;
  const phone = '5511955551111';
  const theirs = await addCall({ to: phone, metadata: { name: 'Carla', deal: 7 } });
  // The events of this call are in the log, and those of the next ones still in the outbox.
  await platform.database.query('select number_events(1000, now())');
  const mentioned = await addCall({ to: '5511955550000', metadata: { referredBy: `+${phone}` } });
  const other = await addCall({ to: '5511955552222', metadata: { name: 'Davi' } });
  const otherAccount = await createAccount(platform);
  const foreign = await addCall({ to: phone, metadata: { name: 'Carla' } }, otherAccount);
  const user = await account.addUser();
  await platform.database.query(`update users set phone = '+55 (11) 95555-1111' where uuid = $1`, [
    user.uuid,
  ]);
  const money = await readMoney(account.id);
  const [before, foreignBefore, otherBefore] = [
    await readCall(theirs),
    await readCall(foreign),
    await readCall(other),
  ];
  expect(tablesNaming(await readTexts(platform, account.id), phone).toSorted()).toEqual(
    ['calls', 'call_holds', 'event_outbox', 'events'].toSorted(),
  );

  expect(await erase({ phone })).toEqual({
    users: 1,
    accounts: 0,
    financialAccounts: 0,
    extensions: 0,
    callerIds: 0,
    calls: 2,
    contacts: 0,
    events: 4,
    recordings: 1,
    holds: 1,
    webhookResponses: 0,
    auditEntries: 0,
    requests: 0,
    runningCalls: 0,
  });

  const texts = await readTexts(platform, account.id);
  expect(tablesNaming(texts, phone)).toEqual([]);
  expect(tablesNaming(texts, 'carla')).toEqual([]);
  const { to: _, to_reversed: __, metadata: ___, ...kept } = before ?? {};
  expect(await readCall(theirs)).toMatchObject({ ...kept, to: 'erased', metadata: {} });
  expect(await readCall(mentioned)).toMatchObject({ to: '5511955550000', metadata: {} });
  expect(await readCall(other)).toEqual(otherBefore);
  expect(await readCall(foreign)).toEqual(foreignBefore);
  expect(await readMoney(account.id)).toEqual(money);
  expect(await auditLedger({ db: fixture.operatorDb, clock: fixture.platform.clock })).toEqual([]);
  expect([await listen(theirs), await listen(mentioned), await listen(other), await listen(foreign)]).toEqual(
    [404, 200, 200, 200],
  );
  const [recording] = await platform.database.query<{ object_key: string; may_have_file: boolean }>(
    'select object_key, may_have_file from recordings where call_id = $1',
    [theirs],
  );
  expect(recording?.may_have_file).toBe(false);
  expect(await platform.api.base.storage.stat(recording?.object_key ?? '')).toBeUndefined();
  const { body } = await account.admin.client.list('/calls', { where: { to: 'erased' } }, { page: '1' });
  expect(body.data).toMatchObject([
    { id: theirs, to: 'erased', duration: 42, record_url: null, metadata: {} },
  ]);
});

test('SEARCH-05 ACCT-07 erases the words of a person, and metadata with the number in another notation', async () => {
  const { platform, account, addCall, erase } = fixture;
  const phone = '5511955553333';
  const theirs = await addCall({ to: phone, firstName: 'Agente', metadata: { name: 'Zuleica' } });
  const mentioned = await addCall({ to: '5511955554444', metadata: { contact: '(11) 95555-3333' } });
  await platform.database.query(`update call_indexing set until = null where pass = 'all'`);
  const index = () => indexCalls(platform.api.base, AbortSignal.timeout(120_000));
  await index();
  const found = async (q: string) =>
    (await account.admin.client.list('/calls/search', {}, { q })).body.data.map(
      ({ id }: { id: string }) => id,
    );
  expect((await found('95555-3333')).toSorted()).toEqual([theirs, mentioned].toSorted());
  expect(await found('zuleica agente')).toEqual([theirs]);
  expect(await erase({ phone })).toMatchObject({ calls: 2 });
  await index();
  const texts = await readTexts(platform, account.id);
  for (const word of ['955553333', '95555-3333', 'zuleica']) expect(tablesNaming(texts, word)).toEqual([]);
  expect(await found('agente')).toEqual([theirs]);
  expect(await found('5511955554444')).toEqual([mentioned]);
});

test('bug: CONTACT-09 erasing an employee keeps the contacts of the customers whom they called', async () => {
  const { platform, account, addCall, erase } = fixture;
  const [email, bina] = ['vendas@empresa.test', '551130309999'];
  const numbers = ['5511955556661', '5511955556662', '5511955556663', '5511955556664'] as const;
  await addCall({ email, to: numbers[0], metadata: { name: 'Cliente Um' } });
  await addCall({ email, to: numbers[1], metadata: { name: 'Cliente Dois', seller: email.toUpperCase() } });
  await addCall({ to: numbers[2], metadata: { name: 'Cliente Três', office: '(11) 3030-9999' } });
  await addCall({ bina, to: numbers[3], metadata: { name: 'Cliente Quatro' } });
  await platform.database.query(`update call_indexing set until = null where pass = 'all'`);
  await indexCalls(platform.api.base, AbortSignal.timeout(120_000));
  const namesOf = async () => {
    const rows = await platform.database.query<{ name: string }>(
      'select name from contacts where account_id = $1 and number = any($2) order by number',
      [account.id, [...numbers]],
    );
    return rows.map(({ name }) => name);
  };
  expect(await namesOf()).toEqual(['Cliente Um', 'Cliente Dois', 'Cliente Três', 'Cliente Quatro']);
  expect(await erase({ email })).toMatchObject({ calls: 2, contacts: 1 });
  expect(await namesOf()).toEqual(['Cliente Um', 'Cliente Três', 'Cliente Quatro']);
  expect(await erase({ phone: bina })).toMatchObject({ calls: 2, contacts: 1 });
  expect(await namesOf()).toEqual(['Cliente Um', 'Cliente Quatro']);
});

test('bug: ACCT-07 erases a phone written without country code, and no other country’s number', async () => {
  const { platform, account, erase } = fixture;
  const phones = ['(47) 3222-1234 ramal 5', '4732221234', '+47 32221234'];
  const users = await Promise.all(phones.map(() => account.addUser()));
  for (const [n, phone] of phones.entries())
    await platform.database.query('update users set phone = $1 where uuid = $2', [phone, users[n]?.uuid]);
  expect(await erase({ phone: '554732221234' })).toMatchObject({ users: 2 });
  const kept = await platform.database.query<{ phone: string }>(
    'select phone from users where uuid = any($1) order by phone',
    [users.map(({ uuid }) => uuid)],
  );
  expect(kept.map(({ phone }) => phone)).toEqual(['', '', '+47 32221234']);
});

test('ACCT-07 erases a person by e-mail: the user, extension, calls and audited changes', async () => {
  const { platform, account, addCall, erase } = fixture;
  const user = await account.addUser('ADMIN');
  const { email } = user;
  await user.client.patch('/users', { name: 'Bruna Antunes', phone: '5511944443333' });
  const created = await account.admin.client.post('/extensions', {
    ramal: '2001',
    senha: 'a-Long-Enough-1',
    first_name: 'Bruna',
    last_name: 'Antunes',
    email_address: email.toUpperCase(),
    gravar_audio: 1,
  });
  expect(created.status).toBe(200);
  const person = { email, firstName: 'Bruna', lastName: 'Antunes', bina: '551130301010' };
  const theirs = await addCall({ ...person, to: '5511966660001' });
  const about = await addCall({ to: '5511966660002', metadata: { agent: email.toUpperCase() } });
  const money = await readMoney(account.id);

  const erasure = await erase({ email });
  expect(erasure).toMatchObject({
    users: 1,
    extensions: 1,
    calls: 2,
    recordings: 1,
    holds: 0,
    runningCalls: 0,
  });
  expect(erasure.auditEntries).toBeGreaterThanOrEqual(3);

  const texts = await readTexts(platform, account.id);
  for (const word of [email, 'bruna', 'antunes']) expect(tablesNaming(texts, word), word).toEqual([]);
  expect(await readCall(theirs)).toMatchObject({
    email: 'erased',
    first_name: 'erased',
    last_name: 'erased',
    bina: 'erased',
    to: '5511966660001',
    metadata: {},
  });
  expect(await readCall(about)).toMatchObject({ email: 'ana@empresa.test', metadata: {} });
  expect([await listen(theirs), await listen(about)]).toEqual([404, 200]);
  expect(await readMoney(account.id)).toEqual(money);
  expect((await user.client.get('/users/me')).status).toBe(401);
  const { body } = await account.admin.client.get(`/extensions/${created.body.id}`);
  expect(body).toMatchObject({
    ramal: '2001',
    first_name: 'erased',
    last_name: 'erased',
    email_address: 'erased',
  });
});

test('ACCT-07 the audit log has the erasure without the erased data', async () => {
  const phone = '5511977770001';
  await fixture.addCall({ to: phone });
  await fixture.erase({ phone });
  const { body } = await fixture.account.admin.client.list(
    '/audit',
    { where: { action: 'person.erase' } },
    { page: '1' },
  );
  expect(body.data[0]).toMatchObject({
    targetType: 'person',
    targetId: 'erased',
    actorUuid: null,
    after: { calls: 1, recordings: 1 },
  });
  expect(JSON.stringify(body.data)).not.toContain(phone);
});

test('erasing again changes nothing, and an unknown person is not found', async () => {
  const phone = '5511977770002';
  await fixture.addCall({ to: phone });
  const nothingErased = {
    users: 0,
    accounts: 0,
    financialAccounts: 0,
    extensions: 0,
    callerIds: 0,
    calls: 0,
    events: 0,
    recordings: 0,
    holds: 0,
    webhookResponses: 0,
  };
  expect(await fixture.erase({ phone })).toMatchObject({ calls: 1 });
  expect(await fixture.erase({ phone })).toMatchObject(nothingErased);
  expect(await fixture.erase({ email: 'unknown@nowhere.test' })).toMatchObject(nothingErased);
});

test('the last ADMIN is not erased, so that the account stays accessible', async () => {
  const { admin } = fixture.account;
  await expect(fixture.erase({ email: admin.email })).rejects.toMatchObject({ code: 'LAST_ADMIN' });
  expect((await admin.client.get('/users/me')).status).toBe(200);
});

test('erases more calls than fit in one batch, each once', async () => {
  const { platform, account } = fixture;
  const phone = '5511977770003';
  const [template] = [await fixture.addCall({ to: phone })];
  await platform.database.query(
    `insert into calls (id, account_id, domain, book, call_type, status, started_at, answered_at, ended_at, "from", "to",
       email, first_name, last_name, bina, recorded, duration, hangup_cause, metadata, timeline)
     select gen_random_uuid(), account_id, domain, book, call_type, status, started_at, answered_at, ended_at, "from", "to",
            email, first_name, last_name, bina, false, duration, hangup_cause, '{"n":1}', timeline
       from calls, generate_series(1, 1200) where id = $1`,
    [template],
  );
  expect(await fixture.erase({ phone })).toMatchObject({ calls: 1201, recordings: 1 });
  expect(tablesNaming(await readTexts(platform, account.id), phone)).toEqual([]);
});

test('a live call keeps its data and events until it is erased after its end', async () => {
  const { platform, account } = fixture;
  const { query } = platform.database;
  const phone = '5511977770004';
  const callId = await fixture.addCall({ to: phone });
  await query(`update calls set status = 'answered', ended_at = null where id = $1`, [callId]);
  await query(
    `insert into live_calls (call_id, account_id, book, kind, state, requested_at, order_data, funded_seconds)
     values ($1, $2, 'test', 'click', 'answered', now(), $3, 60)`,
    [callId, account.id, { destination: phone }],
  );
  expect(await fixture.erase({ phone })).toMatchObject({ calls: 0, recordings: 0, runningCalls: 1 });
  expect(await readCall(callId)).toMatchObject({ to: phone });
  await query('delete from live_calls where call_id = $1', [callId]);
  await query(`update calls set status = 'ended', ended_at = started_at + interval '42 s' where id = $1`, [
    callId,
  ]);
  expect(await fixture.erase({ phone })).toMatchObject({ calls: 1, recordings: 1, runningCalls: 0 });
});

test('files that cannot be removed immediately are removed by the sweep, and no link serves them', async () => {
  const { platform, operatorDb, account } = fixture;
  const phone = '5511977770005';
  const callId = await fixture.addCall({ to: phone });
  const { storage } = platform.api.base;
  const away = { ...storage, remove: () => Promise.reject(new Error('the storage is down')) };
  const deps = { db: operatorDb, clock: platform.clock, storage: away };
  await expect(erasePerson(deps, account.id, { phone })).rejects.toThrow('the storage is down');
  const [row] = await platform.database.query<{ object_key: string }>(
    'select object_key from recordings where call_id = $1',
    [callId],
  );
  const key = row?.object_key ?? '';
  expect([await listen(callId), await storage.stat(key)]).toEqual([404, { bytes: sealedSize(16_044) }]);
  await sweepRecordings({ ...platform.api.base, clock: platform.clock }, AbortSignal.timeout(120_000));
  expect(await storage.stat(key)).toBeUndefined();
});

test('ACCT-07 erases events after the recorded end of a call, as of a restored one that ends when its node was last seen', async () => {
  const { platform, addCall, erase } = fixture;
  const phone = '5511955553333';
  const callId = await addCall({ to: phone, metadata: { name: 'Elisa' } });
  await platform.database.query(
    `update calls set answered_at = started_at, started_at = started_at - interval '5 minutes',
                      ended_at = started_at - interval '5 minutes' where id = $1`,
    [callId],
  );
  await erase({ phone });
  const events = await platform.database.query(
    'select data from recorded_events where subject_id = $1 and data::text like $2',
    [callId, '%Elisa%'],
  );
  expect(events).toEqual([]);
});

test('CTRL-13 a number is erased from the legs of a call, whose other legs stay', async () => {
  const phone = '5511933332222';
  const callId = await fixture.addCall({ to: '5511922221111' });
  const legs = [
    { leg: 'a', role: 'extension', number: '1000' },
    { leg: 'b', role: 'destination', number: '5511922221111' },
    { leg: 'c', role: 'destination', number: phone },
  ];
  const { query } = fixture.platform.database;
  await query('update calls set legs = $2 where id = $1', [callId, JSON.stringify(legs)]);
  const rows: object[] = [];
  await inAccount(fixture.operatorDb, fixture.account.id, async (tx) => {
    for await (const row of readTable(tx, 'calls', fixture.account.id)) rows.push(row);
  });
  expect(rows).toContainEqual(expect.objectContaining({ id: callId, legs }));
  expect(await fixture.erase({ phone })).toMatchObject({ calls: 1, recordings: 1 });
  const [row] = await query<{ legs: object[]; to: string }>('select legs, "to" from calls where id = $1', [
    callId,
  ]);
  expect(row).toEqual({ to: '5511922221111', legs: [legs[0], legs[1], { ...legs[2], number: 'erased' }] });
});

test('CTRL-26 the number of an added party is erased from the events of its call', async () => {
  const phone = '5511933334444';
  const callId = await fixture.addCall({ to: '5511922223333' });
  const { query } = fixture.platform.database;
  await query('update calls set legs = $2 where id = $1', [
    callId,
    JSON.stringify([{ leg: 'c', number: phone }]),
  ]);
  await query(
    `insert into event_outbox (id, account_id, type, subject_id, data, occurred_at)
     select uuidv7_at(c.started_at), c.account_id, 'channel-transfer', c.id::text, jsonb_build_object('sequence', 2,
              'kind', 'blind', 'to', $2::text, 'result', 'completed', 'call', call_snapshot(c)), c.started_at
       from calls c where c.id = $1`,
    [callId, phone],
  );
  expect(await fixture.erase({ phone })).toMatchObject({ calls: 1 });
  const events = await query<{ to: string | null; called: string }>(
    `select data ->> 'to' as to, data -> 'call' ->> 'to' as called from recorded_events
      where subject_id = $1 and type = 'channel-transfer'`,
    [callId],
  );
  expect(events).toEqual([{ to: 'erased', called: '5511922223333' }]);
});
