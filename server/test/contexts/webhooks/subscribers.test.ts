import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { giveCredit } from '../../harness/fixtures/billing.ts';
import { upload, wav } from '../../harness/fixtures/recordings.ts';
import { dayAhead } from '../../harness/fixtures/sandbox.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { runCall } from '../../harness/webhooks/calls.ts';
import {
  eventTypesIn,
  type Receiver,
  startReceiver,
  webhooksAbout,
} from '../../harness/webhooks/receiver.ts';
import {
  addIntegration,
  startWebhookPlatform,
  type WebhookPlatform,
} from '../../harness/webhooks/webhook-platform.ts';

const allTypes = [
  'balance-low',
  'call-priced',
  'channel-answer',
  'channel-create',
  'channel-hangup',
  'channel-ringing',
  'charge-paid',
  'recording-ready',
];

let platform: WebhookPlatform;
let receiver: Receiver;
let account: TestAccount;

beforeAll(async () => {
  platform = await startWebhookPlatform();
  receiver = await startReceiver();
});
beforeEach(async () => {
  account = await createAccount(platform);
});
afterAll(async () => {
  await platform.close();
  await receiver.stop();
});

const at = (name: string): string => `${receiver.url}/${account.id}/${name}`;
const receivedAt = (name: string) =>
  receiver.received.filter(({ path }) => path.endsWith(`/${account.id}/${name}`));

/** Produces one event of every type in the account. */
async function produceAllEvents(): Promise<{ callId: string; chargeId: number }> {
  await platform.mail();
  const { id: callId } = await runCall(platform, account, { metadata: { deal: 'D-1' } });
  await upload(platform, callId, wav(1));
  const charge = {
    paymentMethod: 'PIX',
    dueDate: dayAhead(platform.clock.now(), 3),
    amount: 50,
    description: 'x',
  };
  const { body } = await account.admin.client.post('/charges', charge);
  expect((await account.admin.client.post(`/sandbox/charges/${body.id}/pay`)).status).toBe(200);
  await until(
    async () => (await account.admin.client.get(`/charges/${body.id}`)).body.status === 'RECEIVED',
    'the charge is paid',
  );
  const { balance } = (await account.admin.client.get('/accounts/balance')).body;
  await giveCredit(platform, account.id, 5 - balance);
  await platform.untilIdle();
  return { callId, chargeId: body.id };
}

test('HOOK-04 HOOK-15 HOOK-21 VERSION-02 each type goes to its subscribers only, once, with its version', async () => {
  for (const type of allTypes) await addIntegration(account.admin, at(type), [type], { gateway: type });
  await addIntegration(account.admin, at('all'), allTypes, { gateway: 'all' });
  await addIntegration(account.admin, at('off'), allTypes, { gateway: 'off' });
  await account.admin.client.patch('/integrations', { gateway: 'off', webhook: false });
  const { callId, chargeId } = await produceAllEvents();

  expect(eventTypesIn(receivedAt('all'))).toEqual(allTypes);
  expect(receivedAt('off')).toEqual([]);
  for (const type of allTypes) {
    expect(eventTypesIn(receivedAt(type))).toEqual([type]);
    expect(receivedAt(type)[0]?.body).toMatchObject({ version: '1.8', domain: account.domain });
  }
  expect(webhooksAbout(receiver, callId)).toHaveLength(12);
  const ofCall = receivedAt('all').filter(({ body }) => body.id === callId);
  const bySequence = ofCall.toSorted((one, other) => one.body.sequence - other.body.sequence);
  expect(bySequence.map(({ body }) => [body.sequence, body.eventType])).toEqual([
    [1, 'channel-create'],
    [2, 'channel-ringing'],
    [3, 'channel-answer'],
    [4, 'channel-hangup'],
    [5, 'call-priced'],
    [6, 'recording-ready'],
  ]);
  expect(receivedAt('charge-paid')[0]?.body).toMatchObject({
    id: chargeId,
    amount: 50,
    paymentMethod: 'PIX',
  });
  expect(receivedAt('balance-low')[0]?.body).toMatchObject({ available: 5 });
  expect(receivedAt('call-priced')[0]?.body).toMatchObject({
    callPrice: 0.3,
    minutePrice: 0.6,
    billedDuration: 30,
  });
  const { recordUrl } = receivedAt('recording-ready')[0]?.body ?? {};
  const link = recordUrl.replace('http://api.disca.test', '');
  expect((await platform.app.inject({ url: link })).statusCode).toBe(200);
});

test('HOOK-02 HOOK-03 HOOK-15 no event is sent before it happens', async () => {
  await addIntegration(account.admin, at('all'), allTypes);
  const { id } = await runCall(platform, account, { seconds: 0 });
  await platform.untilIdle();
  expect(eventTypesIn(webhooksAbout(receiver, id))).toEqual([
    'call-priced',
    'channel-create',
    'channel-hangup',
    'channel-ringing',
  ]);
});

test('HOOK-08 HOOK-09 a constraint, flat or nested, requires all its keys and values', async () => {
  const constraint = { gateway: 'crm', deal: { stage: 2 } };
  const constraints: Record<string, object> = {
    none: {},
    flat: constraint,
    nested: { metadata: constraint },
    'one-key': { gateway: 'crm' },
    'other-value': { gateway: 'CRM' },
    'other-type': { count: '3' },
    'one-key-more': { ...constraint, more: 1 },
  };
  for (const [gateway, webhookConstraint] of Object.entries(constraints))
    await addIntegration(account.admin, at(gateway), ['channel-hangup'], { gateway, webhookConstraint });
  const metadata = { ...constraint, count: 3, other: 'x' };
  const { id } = await runCall(platform, account, { metadata });
  const { id: plain } = await runCall(platform, account);
  const { id: partly } = await runCall(platform, account, { metadata: { gateway: 'crm' } });
  await platform.untilIdle();
  const listReceivers = (call: string) =>
    webhooksAbout(receiver, call)
      .map(({ path }) => path.split('/').at(-1))
      .sort();
  expect(listReceivers(id)).toEqual(['flat', 'nested', 'none', 'one-key']);
  expect(listReceivers(plain)).toEqual(['none']);
  expect(listReceivers(partly)).toEqual(['none', 'one-key']);
});

test('HOOK-08 HOOK-25 billing events go to ADMINs, whatever their constraint', async () => {
  const user = await account.addUser('USER');
  await addIntegration(account.admin, at('admin'), allTypes, { webhookConstraint: { never: 'matches' } });
  await addIntegration(user, at('user'), allTypes);
  await produceAllEvents();
  expect(eventTypesIn(receivedAt('admin'))).toEqual(['balance-low', 'charge-paid']);
  expect(receivedAt('user')).toEqual([]);
});

test('HOOK-25 an ADMIN gets all calls of the account, a USER their own, never another account’s', async () => {
  const [owner, other, secondAdmin] = [
    await account.addUser('USER'),
    await account.addUser('USER'),
    await account.addUser('ADMIN'),
  ];
  // Only a user with a confirmed address owns the extensions with that address.
  await platform.database.query('update users set email_verified = true');
  const otherAccount = await createAccount(platform);
  const people = { admin: account.admin, secondAdmin, owner, other, outsider: otherAccount.admin };
  for (const [name, person] of Object.entries(people))
    await addIntegration(person, at(name), ['channel-hangup']);
  const { id } = await runCall(platform, account, { email: owner.email });
  await platform.untilIdle();
  const receivers = webhooksAbout(receiver, id).map(({ path }) => path.split('/').at(-1));
  expect(receivers.sort()).toEqual(['admin', 'owner', 'secondAdmin']);
});

test('HOOK-29 low credit is sent once below the threshold, and again only after it was above', async () => {
  await addIntegration(account.admin, at('low'), ['balance-low']);
  await addIntegration(account.admin, at('calls'), ['channel-hangup'], { gateway: 'calls' });
  const countReports = async () => {
    await platform.untilIdle();
    return receivedAt('low').map(({ body }) => body.available);
  };
  await giveCredit(platform, account.id, 20);
  expect(await countReports()).toEqual([]);
  await giveCredit(platform, account.id, -11);
  expect(await countReports()).toEqual([9]);
  await giveCredit(platform, account.id, -3);
  await giveCredit(platform, account.id, 2);
  expect(await countReports()).toEqual([9]);
  await giveCredit(platform, account.id, 5);
  expect(await countReports()).toEqual([9]);
  await giveCredit(platform, account.id, -6);
  expect(await countReports()).toEqual([9, 7]);
  expect(receivedAt('calls')).toEqual([]);
});
