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
const anonymous = new Disca({ baseUrl: DISCA_URL });

/** Polls until `look` returns a truthy value, for up to two minutes. */
async function until(what, look) {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const result = await look();
    if (result) return result;
    if (Date.now() > deadline) throw new Error(`Timed out waiting for: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** 1. Signs up a company, confirms it by the link in its mail, adds an extension and registers a phone. */
async function signUp(name) {
  const domain = `${name}.disca.localhost`;
  const email = `${name}@example.com`;
  const password = randomBytes(12).toString('base64url');
  await anonymous.signup.create({
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
  assert.equal(await anonymous.signup.confirm(decodeURIComponent(token)), 'confirmed');
  const disca = anonymous.as((await anonymous.access.logIn({ email, password })).id);
  const senha = randomBytes(12).toString('base64url');
  const extension = { senha, first_name: 'Rita', last_name: 'Lima', email_address: email, gravar_audio: 1 };
  const { id, ramal } = await disca.extensions.createNext(extension);
  await run('./dev', ['phone', `${ramal}@${domain}`, senha]);
  await until('phone registration', async () => (await disca.extensions.get(id)).registered);
  return { disca, ramal };
}

/** 2. Starts a receiver that verifies signatures and deduplicates by `webhook-id`. */
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
    find: (callId, type) =>
      [...received.values()].find((payload) => payload.id === callId && payload.eventType === type),
    stop: () => server.close(),
  };
}

/** 3. Buys credit with a Pix charge. */
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
  await until('the payment', async () => (await disca.charges.get(charge.id)).status === 'RECEIVED');
}

/** 4. Places a call for every outcome listed in the test mode guide. */
async function everyOutcome({ disca, ramal }, webhooks) {
  const guide = await readFile('docs/guides/test-mode.md', 'utf8');
  const rows = [...guide.matchAll(/^\| `(\d\d)` \| .+ \| `([A-Z_]+)` \| (yes|no) \|$/gm)];
  assert.ok(rows.length >= 13);
  const outcomes = await Promise.all(
    rows.map(async ([, ending, cause, answered]) => {
      const call = await callTo(disca, ramal, `55119999900${ending}`);
      assert.equal(call.hangup_cause, cause, `number ending in ${ending}`);
      assert.equal(call.answered_at !== null, answered === 'yes', `number ending in ${ending}`);
      await until(`webhook for call ${call.id}`, () => webhooks.find(call.id, 'channel-hangup'));
      assert.equal(webhooks.find(call.id, 'channel-hangup').hangupCause, cause);
      return `${ending} ${cause}`;
    }),
  );
  console.log(outcomes.join('\n'));
}

/** Places a call once there is capacity, hangs up outcomes that never end, and returns the ended call. */
async function callTo(disca, extension, called) {
  const { id } = await until(`capacity to call ${called}`, () =>
    disca.calls.place({ extension, called }).catch((error) => {
      if (isDiscaError(error, 'CAPACITY_EXCEEDED')) return undefined;
      throw error;
    }),
  );
  const neverEnds = /(91|98)$/.test(called);
  for await (const { status } of disca.calls.follow(id)) {
    if (status === 'answered' && neverEnds) await disca.calls.hangUp(id);
  }
  return await disca.calls.get(id);
}

/** 5. Checks calls without credit: rejected up front, ended midway, and never below zero. */
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
  console.log(`call ended after ${call.duration} s without credit; R$ ${available} left`);
}

/** 6. Checks that the statement adds up to the balance, and that calls, events, deliveries and ledger agree. */
async function reconcile(disca, since) {
  let sum = 0;
  for await (const { amount } of disca.statement.list()) sum += amount;
  const { balance } = await disca.account.balance();
  assert.equal(sum.toFixed(4), balance.toFixed(4));
  const reconciliation = await until('a clean reconciliation', async () => {
    const result = await disca.events.reconcile({ since, until: new Date().toISOString() });
    return result.isClean && result;
  });
  console.log(`statement adds up to R$ ${balance}; ${reconciliation.counts.calls} calls reconcile`);
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
