import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addNode,
  addTrunk,
  drainNode,
  isNodeSecret,
  listNodes,
  listTrunks,
  openTrunkDirectory,
  removeNode,
  removeTrunk,
  setTrunk,
  switchTrunk,
  testTrunk,
} from '../../../../src/contexts/telephony/index.ts';
import { openLogin } from '../../../../src/contexts/telephony/trunks/trunk-login.ts';
import { saveOutcome, takeTrunkTests } from '../../../../src/contexts/telephony/trunks/trunk-test.store.ts';
import { secondsAfter } from '../../../../src/platform/time.ts';
import { insertPlainAccounts } from '../../../harness/fixtures/billing-rows.ts';
import { openOperator, type TestOperator } from '../../../harness/operator.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let operator: TestOperator;
beforeAll(async () => {
  platform = await startPlatform();
  operator = openOperator(platform);
});
afterAll(async () => {
  await operator.close();
  await platform.close();
});

const described = (name: string) => ({
  name,
  mode: 'live' as const,
  address: 'sip.carrier.example:5060',
  prefixes: ['55'],
  priority: 10,
  defaultCallerId: '551130000000',
  callerIdRule: 'owned' as const,
  stripDigits: 0,
  addDigits: '',
  transport: 'udp' as const,
  srtp: false,
  outboundLogin: null,
  inboundLogin: null,
  enabled: true,
});

test('a trunk is added once, listed, disabled, enabled and removed', async () => {
  await addTrunk(operator, described('first'));
  expect(await listTrunks(operator)).toMatchObject([described('first')]);
  await expect(addTrunk(operator, described('first'))).rejects.toThrow('A trunk named first already exists.');
  await switchTrunk(operator, 'first', false);
  expect(await listTrunks(operator)).toMatchObject([{ enabled: false }]);
  await switchTrunk(operator, 'first', true);
  await removeTrunk(operator, 'first');
  expect(await listTrunks(operator)).toEqual([]);
  await expect(removeTrunk(operator, 'first')).rejects.toThrow('No trunk named first.');
  await expect(switchTrunk(operator, 'first', true)).rejects.toThrow('No trunk named first.');
});

test('rejects dial string metacharacters in a trunk, and reports every error', async () => {
  const addresses = [
    'host',
    'host:',
    'host:0',
    'host:65536',
    'a@b:1',
    'a;transport=tcp:5060',
    'a b:1',
    '\u0024{X}:1',
  ];
  for (const address of [...addresses, 'host:5060/x', 'host:5060\n', '-x:1', '[::1', ''])
    await expect(addTrunk(operator, { ...described('bad'), address }), address).rejects.toThrow(
      'address must',
    );
  const faulty = {
    ...described('Bad!'),
    prefixes: ['5a'],
    defaultCallerId: 'x',
    stripDigits: 7,
    addDigits: '+',
  };
  await expect(addTrunk(operator, faulty)).rejects.toThrow(
    /name must.*prefixes must.*caller-id must.*strip must.*add must/,
  );
  for (const address of ['192.0.2.1:5060', '[2001:db8::1]:5061', 'a.example:1']) {
    await addTrunk(operator, { ...described('good'), address });
    await removeTrunk(operator, 'good');
  }
});

test('CALL-61 the passwords of a trunk are sealed, and a new one replaces the old one', async () => {
  const login = { user: 'disca', password: 'a-password-of-a-carrier' };
  await addTrunk(operator, { ...described('sealed'), outboundLogin: login });
  const read = async () => {
    const [row] = await platform.database.query<{ text: string }>(
      `select to_jsonb(t)::text as text from trunks t where name = 'sealed'`,
    );
    expect(row?.text).not.toContain(login.password);
    return (await listTrunks(operator)).find(({ name }) => name === 'sealed');
  };
  const first = await read();
  expect(openLogin(operator.keyRing, first?.outboundLogin ?? null)).toEqual(login);
  await setTrunk(operator, 'sealed', { inboundLogin: login });
  const second = await read();
  expect(second?.outboundLogin).toEqual(first?.outboundLogin);
  expect(openLogin(operator.keyRing, second?.inboundLogin ?? null)).toEqual(login);
  const changed = { ...login, password: 'another-password-of-it' };
  await setTrunk(operator, 'sealed', { outboundLogin: changed });
  expect(openLogin(operator.keyRing, (await read())?.outboundLogin ?? null)).toEqual(changed);
  await removeTrunk(operator, 'sealed');
});

test('the service role can read trunks but not change them', async () => {
  await addTrunk(operator, described('read-only'));
  const { kysely } = platform.api.base.db;
  expect(await kysely.selectFrom('trunks').select('name').execute()).toEqual([{ name: 'read-only' }]);
  await expect(kysely.updateTable('trunks').set({ address: 'evil:1' }).execute()).rejects.toThrow(
    'permission',
  );
  await expect(kysely.deleteFrom('trunks').execute()).rejects.toThrow('permission');
  await removeTrunk(operator, 'read-only');
});

test('a process sees a new trunk within seconds, and keeps its cache while the database fails', async () => {
  const failures: unknown[] = [];
  const book = await openTrunkDirectory(platform.api.base.db, (error) => failures.push(error));
  expect(book.all()).toEqual([]);
  await addTrunk(operator, described('soon'));
  await expect.poll(() => book.all().length).toBe(1);
  await platform.database.query('alter table trunks rename to trunks_away');
  await expect.poll(() => failures.length).toBeGreaterThan(0);
  expect(book.all()).toMatchObject([{ name: 'soon' }]);
  await platform.database.query('alter table trunks_away rename to trunks');
  book.close();
  await removeTrunk(operator, 'soon');
});

test('a trunk test is claimed once and reports its result', async () => {
  await addTrunk(operator, described('tested'));
  const asked = testTrunk(operator, 'tested', '+55 11 98765-4321');
  const { db } = platform.api.base;
  const allTrunks = await listTrunks(operator);
  const take = (trunks = allTrunks) =>
    takeTrunkTests(db, trunks, secondsAfter(new Date(), -10), platform.clock.now(), 10);
  expect(await take([])).toEqual([]);
  const taken = [...(await untilSome(() => take())), ...(await take())];
  expect(taken).toMatchObject([{ number: '5511987654321' }]);
  const at = platform.clock.now();
  const result = { outcome: 'busy', detail: 'SIP 486', at } as const;
  await saveOutcome(db, taken[0]?.id ?? '', result);
  await saveOutcome(db, taken[0]?.id ?? '', { ...result, outcome: 'answered' });
  expect(await asked).toEqual({ outcome: 'busy', detail: 'SIP 486' });
  await expect(testTrunk(operator, 'nowhere', '5511987654321')).rejects.toThrow('No trunk named nowhere.');
  await expect(testTrunk(operator, 'tested', 'sip:x')).rejects.toThrow('number must have');
  await removeTrunk(operator, 'tested');
});

async function untilSome<T>(find: () => Promise<T[]>): Promise<T[]> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const items = await find();
    if (items.length > 0) return items;
    await sleep(50);
  }
  throw new Error('Nothing came.');
}

test('a media node gets a secret shown once, is drained, and removed when it has no calls', async () => {
  const { secret } = await addNode(operator, { name: 'm1', sipAddress: '10.0.0.5:5060' });
  const [row] = await platform.database.query<{ text: string }>(
    `select to_jsonb(n)::text as text from media_nodes n`,
  );
  expect(row?.text).not.toContain(secret);
  const { db } = platform.api.base;
  expect([await isNodeSecret(db, 'm1', secret), await isNodeSecret(db, 'm1', `${secret}x`)]).toEqual([
    true,
    false,
  ]);
  await expect(addNode(operator, { name: 'm1', sipAddress: '10.0.0.6:5060' })).rejects.toThrow('already');
  await expect(addNode(operator, { name: 'm2', sipAddress: '10.0.0.5:5060' })).rejects.toThrow('already');
  await expect(addNode(operator, { name: 'M 2', sipAddress: 'host:5060' })).rejects.toThrow(
    /name must.*address must/,
  );

  await drainNode(operator, 'm1', true);
  expect(await listNodes(operator)).toMatchObject([
    { name: 'm1', state: 'draining', isConnected: false, calls: 0, lastSeenAt: null },
  ]);
  await drainNode(operator, 'm1', false);
  await giveCall('m1');
  expect(await listNodes(operator)).toMatchObject([{ state: 'active', calls: 1 }]);
  await expect(removeNode(operator, 'm1')).rejects.toThrow('m1 has running calls.');
  await platform.database.query('delete from live_calls');
  await removeNode(operator, 'm1');
  expect(await listNodes(operator)).toEqual([]);
  await expect(removeNode(operator, 'm1')).rejects.toThrow('No node named m1.');
  await expect(drainNode(operator, 'm1', true)).rejects.toThrow('No node named m1.');
});

async function giveCall(node: string): Promise<void> {
  const [accountId] = await insertPlainAccounts(platform.database.query, 1);
  await platform.database.query(
    `insert into live_calls (call_id, account_id, book, kind, state, requested_at, order_data, node, funded_seconds)
     values (gen_random_uuid(), $1, 'test', 'click', 'queued', now(), '{}', $2, 60)`,
    [accountId, node],
  );
}
