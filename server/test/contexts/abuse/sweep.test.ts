import { afterAll, beforeAll, expect, test } from 'vitest';
import { abuseJobs, sweepSignalsQueue } from '../../../src/contexts/abuse/abuse.jobs.ts';
import { createWatch } from '../../../src/contexts/abuse/watch-accounts.ts';
import { jobSchedule, queues } from '../../../src/main/jobs.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  platform.clock.freeze();
});
afterAll(() => platform.close());

const raised: string[] = [];
const deps = () => ({
  ...platform.api.money,
  db: platform.api.base.db,
  clock: platform.clock,
  observer: { signalRaised: (kind: string) => raised.push(kind) },
  actions: {},
});
const sweep = () =>
  abuseJobs(deps())[sweepSignalsQueue.name]?.({}, { id: 'sweep', signal: AbortSignal.timeout(60_000) });
const watch = () => createWatch(deps())(AbortSignal.timeout(60_000));

const ago = (days: number): Date => new Date(platform.clock.now().getTime() - days * 86_400_000);

const addSignals = ({ id }: TestAccount, kind: string, days: number, liftedDays?: number, count = 1) =>
  platform.database.query(
    `insert into abuse_signals (id, account_id, kind, action, explanation, at, lifted_at)
     select gen_random_uuid(), $1, $2, 'alert', 'A test.', $3, $4 from generate_series(1, $5)`,
    [id, kind, ago(days), liftedDays === undefined ? null : ago(liftedDays), count],
  );
const signalKinds = async () =>
  (await platform.database.query<{ kind: string }>('select kind from abuse_signals order by kind')).map(
    ({ kind }) => kind,
  );
const addNetwork = ({ id }: TestAccount, network: string, firstDays: number, lastDays: number) =>
  platform.database.query(
    'insert into phone_networks (account_id, network, first_at, last_at) values ($1, $2, $3, $4)',
    [id, network, ago(firstDays), ago(lastDays)],
  );
const networks = async () =>
  (
    await platform.database.query<{ network: string }>('select network from phone_networks order by network')
  ).map(({ network }) => network);

test('ABUSE-07 signals of all accounts are deleted 90 days after they were raised and lifted', async () => {
  const [one, other] = [await createAccount(platform), await createAccount(platform)];
  await addSignals(one, 'old', 90.01, undefined, 2_500);
  await addSignals(other, 'old', 400, 91);
  await addSignals(other, 'new', 89.99);
  await addSignals(one, 'lifted later', 400, 3);
  await sweep();
  expect(await signalKinds()).toEqual(['lifted later', 'new']);
});

test('ABUSE-04 ABUSE-07 a network is deleted after 90 days without a login, and is then new again', async () => {
  const account = await createAccount(platform);
  await addNetwork(account, '203.0.113.0/24', 400, 1);
  await addNetwork(account, '198.51.100.0/24', 400, 90.01);
  await addNetwork(account, '192.0.2.0/24', 400, 89.99);
  await sweep();
  expect(await networks()).toEqual(['192.0.2.0/24', '203.0.113.0/24']);

  const logIn = (address: string) =>
    platform.database.query(
      `insert into edge.known_phones (key_name, expires) values ($1, extract(epoch from $2::timestamptz) + 86400)`,
      [`${address}|1000@${account.domain}`, platform.clock.now()],
    );
  await logIn('192.0.2.7');
  await watch();
  expect(raised).toEqual([]);
  await logIn('198.51.100.7');
  await watch();
  expect(raised).toEqual(['new_network']);
});

test('ABUSE-07 the sweep runs every hour', () => {
  expect(queues).toContain(sweepSignalsQueue);
  expect(jobSchedule[sweepSignalsQueue.name]).toMatch(/^\d+ \* \* \* \*$/);
});
