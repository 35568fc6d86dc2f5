import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addDeck, billingOfCall, billingOfCharge, giveCredit } from '../../../harness/fixtures/billing.ts';
import { mailsTo } from '../../../harness/mailbox.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  await addDeck(platform, [{ prefix: '55', price: 0.3 }]);
});
beforeEach(async () => {
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const lowBalanceEvents = async ({ id }: TestAccount) =>
  await platform.database.query<{ data: { available: number; book: string } }>(
    `select data from recorded_events where account_id = $1 and type = 'balance-low' order by id`,
    [id],
  );
const warnings = async (): Promise<number[]> =>
  (await lowBalanceEvents(account)).map(({ data }) => data.available);
const mailsQueuedFor = async (address: string) =>
  (await mailsTo(platform, address)).filter(({ template }) => template === 'balance-low');

test('low credit is reported once below the threshold, and again only after it was above', async () => {
  await giveCredit(platform, account.id, 10.3);
  const calls = [
    billingOfCall(platform, account),
    billingOfCall(platform, account),
    billingOfCall(platform, account),
  ];
  await calls[0]?.hold();
  expect(await warnings()).toEqual([]);
  await calls[1]?.hold();
  expect(await warnings()).toEqual([9.7]);
  await calls[2]?.hold();
  await calls[2]?.settle(60);
  expect(await warnings()).toEqual([9.7]);
  await giveCredit(platform, account.id, 5);
  await giveCredit(platform, account.id, -6);
  expect(await warnings()).toHaveLength(2);
  expect((await lowBalanceEvents(account))[0]?.data.book).toBe('test');
});

test('every ADMIN with a confirmed address gets a mail with the same amount', async () => {
  const [admin, user] = [await account.addUser('ADMIN'), await account.addUser('USER')];
  const unconfirmed = await account.addUser('ADMIN');
  await platform.database.query('update users set email_verified = email <> $1', [unconfirmed.email]);
  await giveCredit(platform, account.id, 10);
  await billingOfCall(platform, account).hold();
  await billingOfCall(platform, account).hold();
  for (const { email } of [account.admin, admin]) {
    const mails = await mailsQueuedFor(email);
    expect(mails.map(({ data }) => data)).toEqual([
      { available: 9.7, isTest: true, link: 'http://console.disca.test/credit' },
    ]);
  }
  expect(await mailsQueuedFor(user.email)).toEqual([]);
  expect(await mailsQueuedFor(unconfirmed.email)).toEqual([]);
});

test('the mail arrives in the language of its recipient', async () => {
  await giveCredit(platform, account.id, 10);
  await billingOfCall(platform, account).hold();
  const sink = await platform.mail();
  const mail = await sink.waitFor(
    ({ to, subject }) => subject.includes('saldo') && JSON.stringify(to).includes(account.admin.email),
  );
  expect(mail.subject).toBe('Seu saldo está acabando');
  expect(mail.text).toContain('R$\u00a09,70');
  expect(mail.text).toContain('modo de teste');
});

test('an account whose credit never reached the threshold gets no low-balance event', async () => {
  await giveCredit(platform, account.id, 5);
  await billingOfCall(platform, account).hold();
  expect(await warnings()).toEqual([]);
});

test('a refund that leaves low credit is reported', async () => {
  const charge = billingOfCharge(platform, account, account.id, 50);
  await charge.credit();
  await Promise.all([charge.takeBack('refund'), charge.takeBack('refund')]);
  expect(await warnings()).toEqual([0]);
});

test('crossing a lowered threshold is reported again', async () => {
  await giveCredit(platform, account.id, 10);
  await billingOfCall(platform, account).hold();
  expect(await warnings()).toEqual([9.7]);
  const changed = await account.admin.client.patch('/accounts', { balanceLowThreshold: 5 });
  expect(changed.status).toBe(200);
  await giveCredit(platform, account.id, -6);
  expect(await warnings()).toEqual([9.7, 3.7]);
});

test('a rejected call reports nothing', async () => {
  await giveCredit(platform, account.id, 10);
  await giveCredit(platform, account.id, -9.9);
  expect(await warnings()).toHaveLength(1);
  await expect(billingOfCall(platform, account).hold()).rejects.toMatchObject({
    code: 'INSUFFICIENT_CREDIT',
  });
  expect(await warnings()).toHaveLength(1);
});
