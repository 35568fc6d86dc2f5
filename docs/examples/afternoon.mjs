import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Disca, isDiscaError } from '@disca/sdk';
import { verifyWebhook } from '@disca/sdk/webhooks';

const { DISCA_URL, MAIL_URL } = process.env;
const run = promisify(execFile);
const stranger = new Disca({ baseUrl: DISCA_URL });

/** Looks again until there is something to see. */
async function until(what, look) {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > deadline) throw new Error(`Waited in vain: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** 1. A company, confirmed by the link in its mail, with one extension and a phone. */
async function signUp(name) {
  const domain = `${name}.disca.localhost`;
  const email = `${name}@example.com`;
  const password = randomBytes(12).toString('base64url');
  await stranger.signup.create({
    organization_name: 'Loja da Serra',
    domain,
    email,
    password,
    phone: '5511987654321',
    crm: 'Outros',
    user_quantity: '1-5',
  });
  const token = await until('the confirmation mail', async () => {
    const mails = await (await fetch(`${MAIL_URL}/messages?to=${email}`)).text();
    return /\/accounts\/confirm\?token=([^"\\ &]+)/.exec(mails)?.[1];
  });
  assert.equal(await stranger.signup.confirm(decodeURIComponent(token)), 'confirmed');
  const disca = stranger.as((await stranger.access.logIn({ email, password })).id);
  const senha = randomBytes(12).toString('base64url');
  const extension = { senha, first_name: 'Rita', last_name: 'Lima', email_address: email, gravar_audio: 1 };
  const { id, ramal } = await disca.extensions.createNext(extension);
  await run('./dev', ['phone', `${ramal}@${domain}`, senha]);
  await until('the phone registers', async () => (await disca.extensions.get(id)).registered);
  return { disca, ramal };
}

/** 2. A receiver that believes only what is signed, and takes nothing twice. */
async function receiveWebhooks(disca) {
  const received = new Map();
  let secret = '';
  const server = createServer(async (request, response) => {
    try {
      const { id, payload } = await verifyWebhook(await buffer(request), request.headers, secret);
      received.set(id, payload);
      response.writeHead(204).end();
    } catch {
      response.writeHead(401).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const webhookUrl = `http://127.0.0.1:${server.address().port}/disca`;
  const webhookTypes = ['channel-answer', 'channel-hangup', 'call-priced', 'charge-paid'];
  const { id } = await disca.integrations.save({
    gateway: 'crm',
    webhook: true,
    webhookConstraint: {},
    metadata: { webhookUrl, webhookTypes },
  });
  ({ secret } = await disca.integrations.secret(id));
  const forged = await fetch(webhookUrl, { method: 'POST', body: '{}' });
  assert.equal(forged.status, 401);
  return {
    told: (callId, type) =>
      [...received.values()].find((payload) => payload.id === callId && payload.eventType === type),
    stop: () => server.close(),
  };
}

/** 3. Credit, bought like everybody's. */
async function topUp(disca) {
  const dueDate = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const charge = await disca.charges.create({
    paymentMethod: 'PIX',
    amount: 30,
    dueDate,
    description: 'Credit',
  });
  assert.match((await disca.charges.pix(charge.id)).code, /^000201/);
  await disca.sandbox.pay(charge.id);
  await until('the charge is paid', async () => (await disca.charges.get(charge.id)).status === 'RECEIVED');
}

/** 4. Every outcome that the guide to test mode promises. */
async function everyOutcome({ disca, ramal }, webhooks) {
  const guide = await readFile('docs/guides/test-mode.md', 'utf8');
  const rows = [...guide.matchAll(/^\| `(\d\d)` \| .+ \| `([A-Z_]+)` \| (yes|no) \|$/gm)];
  assert.ok(rows.length >= 13);
  const outcomes = await Promise.all(
    rows.map(async ([, ending, cause, answered]) => {
      const call = await callTo(disca, ramal, `55119999900${ending}`);
      assert.equal(call.hangup_cause, cause, `a number that ends in ${ending}`);
      assert.equal(call.answered_at !== null, answered === 'yes', `a number that ends in ${ending}`);
      await until(`the webhook about ${call.id}`, () => webhooks.told(call.id, 'channel-hangup'));
      assert.equal(webhooks.told(call.id, 'channel-hangup').hangupCause, cause);
      return `${ending} ${cause}`;
    }),
  );
  console.log(outcomes.join('\n'));
}

/** Places a call when there is room for it, hangs up what would talk for ever, and gives the call when it has ended. */
async function callTo(disca, extension, called) {
  const { id } = await until(`there is room to call ${called}`, () =>
    disca.calls.place({ extension, called }).catch((error) => {
      if (isDiscaError(error, 'CAPACITY_EXCEEDED')) return undefined;
      throw error;
    }),
  );
  const talksForEver = /(91|98)$/.test(called);
  for await (const { status } of disca.calls.follow(id)) {
    if (status === 'answered' && talksForEver) await disca.calls.hangUp(id);
  }
  return await disca.calls.get(id);
}

/** 5. What happens without credit: refused before a call, ended in the middle of one, and never below zero. */
async function withoutCredit({ disca, ramal }) {
  await disca.sandbox.setCredit(0);
  const called = '5511999990016';
  await assert.rejects(disca.calls.place({ extension: ramal, called }), (error) =>
    isDiscaError(error, 'INSUFFICIENT_CREDIT'),
  );
  const { minutePrice } = await disca.rates.quote(called);
  await disca.sandbox.setCredit(minutePrice);
  const call = await callTo(disca, ramal, called);
  assert.equal(call.hangup_cause, 'ALLOTTED_TIMEOUT');
  const { available, held } = await disca.account.balance();
  assert.deepEqual({ available, held }, { available: 0, held: 0 });
  console.log(`without credit the call ended after ${call.duration} s, R$ ${available} is left`);
}

/** 6. The statement, added up, is the balance; and calls, events, deliveries and money agree. */
async function reconcile(disca, since) {
  let sum = 0;
  for await (const { amount } of disca.statement.list()) sum += amount;
  const { balance } = await disca.account.balance();
  assert.equal(sum.toFixed(4), balance.toFixed(4));
  const counted = await until('everything has arrived', async () => {
    const result = await disca.events.reconcile({ since, until: new Date().toISOString() });
    return result.isClean && result;
  });
  console.log(`the statement adds up to R$ ${balance}; ${counted.counts.calls} calls reconcile`);
}

const since = new Date(Date.now() - 60_000).toISOString();
const tag = randomBytes(3).toString('hex');
const rich = await signUp(`serra-${tag}`);
const poor = await signUp(`vale-${tag}`);
const webhooks = await receiveWebhooks(rich.disca);
await topUp(rich.disca);
await Promise.all([everyOutcome(rich, webhooks), withoutCredit(poor)]);
await reconcile(rich.disca, since);
await reconcile(poor.disca, since);
webhooks.stop();
