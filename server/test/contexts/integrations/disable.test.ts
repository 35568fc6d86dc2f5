import { afterAll, beforeAll, expect, test } from 'vitest';
import { disableIntegrations } from '../../../src/contexts/webhooks/delivery/disable-integration.ts';
import { inTransaction } from '../../../src/platform/db/database.ts';
import { integrationBody } from '../../harness/fixtures/integrations.ts';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
});
afterAll(() => platform.close());

type Attempt = Parameters<typeof disableIntegrations>[2][number];

const create = async ({ client }: Person, gateway: string) =>
  (await client.patch('/integrations', integrationBody({ gateway }))).body;
const read = async ({ client }: Person, gateway: string) =>
  (await client.list('/integrations', { where: { gateway } })).body[0];

/** Runs as in the worker: in a transaction without an account. */
async function disable(answered: { id: number; status: number; at?: Date }[], given: number[] = []) {
  const at = platform.clock.now();
  const accountId = account.id;
  const attempts = answered.map(
    ({ id, status, at: attemptedAt = at }) =>
      ({ integrationId: id, accountId, status, at: attemptedAt }) as Attempt,
  );
  const { db } = platform.api.base;
  const givenUp = given.map((integrationId) => ({ integrationId, accountId }));
  await inTransaction(db, (tx) => disableIntegrations(tx, platform.api.money, attempts, givenUp, at));
  return at;
}

test('HOOK-19 INTEG-12 only a 410 disables the webhook; PATCH with webhook true enables it', async () => {
  const [gone, well] = [await create(account.admin, 'gone'), await create(account.admin, 'well')];
  const at = await disable([
    { id: gone.id, status: 410 },
    { id: gone.id, status: 410 },
    { id: well.id, status: 500 },
  ]);
  const off = { webhookDisabledAt: at.toISOString(), webhookDisabledReason: expect.stringContaining('410') };
  expect(await read(account.admin, 'gone')).toEqual({ ...gone, ...off });
  expect(await read(account.admin, 'well')).toEqual(well);
  const renamed = await account.admin.client.patch('/integrations', { id: gone.id, webhookConstraint: {} });
  expect(renamed.body).toMatchObject(off);
  const enabled = await account.admin.client.patch('/integrations', { id: gone.id, webhook: true });
  expect(enabled.body).toEqual({ ...gone, webhookConstraint: {} });
  const filter = JSON.stringify({ where: { action: 'integration.disable', targetId: String(gone.id) } });
  const { body } = await account.admin.client.get('/audit', { query: { page: '1', filter } });
  expect(body.data).toHaveLength(1);
  expect(body.data[0]).toMatchObject({ actorEmail: null, after: { webhookDisabled: true } });
});

test('HOOK-19 a 410 to an attempt before the owner changed the webhook does not disable it', async () => {
  const { id } = await create(account.admin, 'changed');
  const startedAt = platform.clock.now();
  platform.clock.advance(5);
  await account.admin.client.patch('/integrations', { id, webhook: true });
  await disable([{ id, status: 410, at: startedAt }]);
  expect((await read(account.admin, 'changed')).webhookDisabledAt).toBeNull();
});

test('HOOK-19 days of only failures disable it and mail its owner once, in the owner’s language', async () => {
  const sink = await platform.mail();
  const owner = await account.addUser();
  await owner.client.patch('/users', { locale: 'en' });
  const { id } = await create(owner, 'failing');
  await disable([], [id]);
  await disable([], [id]);
  const shown = await read(owner, 'failing');
  expect([shown.webhookDisabledAt, shown.webhookDisabledReason]).toEqual([
    expect.any(String),
    expect.stringContaining('5 days'),
  ]);
  const subject = 'Your webhook was disabled';
  const isTheirs = (each: { to: string[]; subject: string }) =>
    each.to.includes(owner.email) && each.subject === subject;
  const mail = await sink.waitFor(isTheirs);
  expect(sink.messages().filter(isTheirs)).toHaveLength(1);
  expect(mail.text).toContain('failing');
  expect(mail.text).toContain('http://console.disca.test/integrations');
  expect(mail.text).not.toContain('key=abc');
});

test('a new URL or enabling it restarts the period of failures', async () => {
  const { id, metadata } = await create(account.admin, 'anew');
  const fail = () =>
    platform.database.query('update integrations set failing_since = now() where id = $1', [id]);
  const failing = async () =>
    (
      await platform.database.query<{ failing: boolean }>(
        'select failing_since is not null as failing from integrations where id = $1',
        [id],
      )
    )[0]?.failing;
  const after = async (change: object) => {
    await fail();
    await account.admin.client.patch('/integrations', { id, ...change });
    return await failing();
  };
  expect(await after({ webhookConstraint: {} })).toBe(true);
  expect(await after({ metadata: { ...metadata, webhookUrl: 'https://new.example.com/' } })).toBe(false);
  expect(await after({ webhook: true })).toBe(false);
});

test('an integration removed or without a webhook is not disabled', async () => {
  const removed = await create(account.admin, 'removed');
  await account.admin.client.delete(`/integrations/${removed.id}`);
  const silent = await create(account.admin, 'silent');
  await account.admin.client.patch('/integrations', { id: silent.id, webhook: false });
  await disable([{ id: removed.id, status: 410 }], [silent.id]);
  expect((await read(account.admin, 'silent')).webhookDisabledAt).toBeNull();
});
