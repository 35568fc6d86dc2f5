import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportAccount } from '../../../src/contexts/accounts/index.ts';
import { type ErasureFixture, startErasureFixture } from '../../harness/fixtures/erasure.ts';
import { type Outcome, runOperator } from '../../harness/operator-cli.ts';
import { createAccount } from '../../harness/people.ts';

let fixture: ErasureFixture;

beforeAll(async () => {
  fixture = await startErasureFixture();
});
afterAll(() => fixture.close());

async function exported(name: string) {
  const pieces: string[] = [];
  await exportAccount({ db: fixture.operatorDb, clock: fixture.platform.clock }, name, async (text) => {
    pieces.push(text);
  });
  return { pieces, text: pieces.join(''), data: JSON.parse(pieces.join('')) };
}

const disca = (...args: string[]): Promise<Outcome> => runOperator(fixture.platform, args);

test('ACCT-07 NOTE-08 CONTACT-09 PRESENCE-10 an export has calls, notes and recordings, and no secrets', async () => {
  const { account, addCall, platform } = fixture;
  const callId = await addCall({ to: '5511933330000', metadata: { deal: 1 } });
  const notes = account.admin.client;
  await notes.request('PUT', '/dispositions', { body: { names: ['Sale'] } });
  const note = { disposition: 'Sale', note: 'Wants two.', tags: ['vip'] };
  expect((await notes.request('PUT', `/calls/${callId}/note`, { body: note })).status).toBe(200);
  const away = { status: 'away', reason: 'Lunch' };
  expect((await notes.request('PUT', '/users/me/availability', { body: away })).status).toBe(200);
  const contact = { number: '5511933330000', name: 'Eva Lima', deal: null };
  expect((await notes.request('PUT', '/contacts', { body: contact })).status).toBe(200);
  const otherAccount = await createAccount(platform);
  const foreign = await addCall({}, otherAccount);
  await account.admin.client.post('/extensions', {
    ramal: '2002',
    senha: 'a-Long-Enough-1',
    first_name: 'Eva',
    last_name: 'Lima',
    email_address: 'eva@empresa.test',
    gravar_audio: 0,
  });
  const { data, text } = await exported(account.domain);
  expect(data).toMatchObject({
    account: { domain: account.domain },
    users: [{ email: account.admin.email, availability: 'away', availability_reason: 'Lunch' }],
    extensions: [{ ramal: '2002', first_name: 'Eva' }],
    call_notes: [{ id: callId, ...note }],
    call_dispositions: [{ names: ['Sale'] }],
    contacts: [{ ...contact, source: 'manual' }],
    calls: [{ id: callId, to: '5511933330000', metadata: { deal: 1 } }],
    recordings: [{ call_id: callId, state: 'stored', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    call_holds: [{ call_id: callId }],
  });
  expect(data.events.length).toBeGreaterThanOrEqual(2);
  for (const secret of [
    'password_hash',
    'argon2',
    'senha_sealed',
    'ha1"',
    'code_sealed',
    'secret_sealed',
    foreign,
  ])
    expect(text).not.toContain(secret);
});

test('every table with account rows is exported, or has a reason not to be', async () => {
  const left = {
    access_tokens: 'secrets',
    phone_sessions: 'secrets',
    recovery_codes: 'secrets',
    recording_keys: 'secrets',
    idempotency_keys: 'kept for one day',
    call_pairs: 'derived from calls',
    call_words: 'derived from calls',
    call_counts: 'derived from calls',
    call_sums: 'derived from calls',
    unsummed_calls: 'a queue',
    call_turns: 'a counter',
    ledger_checkpoints: 'derived from ledger_transactions',
    event_counters: 'a counter',
    event_outbox: 'exported with events',
    caller_id_calls: 'a counter',
    request_counts: 'a counter',
    live_calls: 'a queue',
    live_legs: 'a queue',
    leg_calls: 'other ids of calls',
    dialer_calls: 'other ids of calls',
  };
  const tables = await fixture.platform.database.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  const { data } = await exported(fixture.account.domain);
  const exportedTables = Object.keys(data).filter((name) => name !== 'account');
  expect([...exportedTables, ...Object.keys(left)].toSorted()).toEqual(
    tables.map(({ name }) => name).toSorted(),
  );
});

test('an account of any size is exported in batches', async () => {
  const { platform } = fixture;
  const account = await createAccount(platform);
  await platform.database.query(
    `insert into event_outbox (id, account_id, type, subject_id, data, occurred_at)
     select gen_random_uuid(), $1, 'test', n::text, jsonb_build_object('n', n), now() from generate_series(1, 2345) n`,
    [account.id],
  );
  const { pieces, data } = await exported(String(account.id));
  expect(data.events.filter(({ type }: { type: string }) => type === 'test')).toHaveLength(2345);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(2_000);
});

test('ACCT-07 the operator exports an account and erases a person with the CLI', async () => {
  const { account, addCall, platform } = fixture;
  const phone = '5511933331111';
  const callId = await addCall({ to: phone });
  const [found, erased, again] = [
    await disca('account', 'export', account.domain),
    await disca('person', 'erase', account.domain, '--phone', '+55 11 93333-1111', '--json'),
    await disca('person', 'erase', account.domain, '--phone', phone),
  ];
  expect(JSON.parse(found.out).calls.map(({ id }: { id: string }) => id)).toContain(callId);
  expect(JSON.parse(erased.out)).toMatchObject({ calls: 1, recordings: 1, holds: 1, events: 2 });
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(again.out).toMatch(
    /^Erased from 0 users, .+ 0 holds, 0 webhook responses, 0 audit entries and 0 requests\.\n/,
  );
  const [row] = await platform.database.query<{ to: string }>('select "to" from calls where id = $1', [
    callId,
  ]);
  expect(row?.to).toBe('erased');
  for (const [args, complaint] of [
    [[account.domain], '--phone or --email'],
    [[account.domain, '--phone', '12'], 'valid number'],
  ] as const) {
    const refused = await disca('person', 'erase', ...args);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(complaint)]);
  }
});
