import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { adjustCredit } from '../../../src/contexts/billing/index.ts';
import {
  advanceCall,
  claimCalls,
  createMover,
  endCall,
  findCallsOfNode,
  noObserver,
} from '../../../src/contexts/calls/index.ts';
import { inAccount } from '../../../src/platform/db/database.ts';
import { microsFromReais } from '../../../src/platform/money.ts';
import { systemClock } from '../../../src/platform/time.ts';
import type { WebhookDeployment } from '../../harness/deployments/webhook-faults.ts';
import { insertDeck } from '../../harness/fixtures/billing-rows.ts';
import type { Random } from '../chaos/random.ts';
import { sendRequest } from '../faults/send-request.ts';
import { createTenant, freshAddress } from '../faults/tenants.ts';

/** An account that places calls and receives their webhooks. */
export interface Caller {
  accountId: number;
  token: string;
  ramal: string;
  secret: string;
}

export const callTypes = [
  'channel-create',
  'channel-ringing',
  'channel-answer',
  'channel-hangup',
  'call-priced',
];
const node = 'script';
const lease = { node, epoch: 0 };
const credit = 100_000;

export async function makeCallers(deployment: WebhookDeployment, count: number): Promise<Caller[]> {
  await insertDeck(deployment.query, [{ prefix: '55', price: 0.6 }]);
  await deployment.query(
    `insert into media_nodes (name, secret_hash, sip_address, created_at) values ($1, $2, '127.0.0.1:1', now())`,
    [node, createHash('sha256').update(node).digest()],
  );
  const callers: Caller[] = [];
  for (let each = 0; each < count; each += 1) callers.push(await makeCaller(deployment));
  return callers;
}

async function makeCaller(deployment: WebhookDeployment): Promise<Caller> {
  const { token, domain } = await createTenant(deployment.apiUrl, deployment.query);
  const request = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await sendRequest(deployment.apiUrl, {
      method,
      path,
      token,
      body,
      address: freshAddress(),
    });
    if (answer.status !== 200) throw new Error(`${path} returned ${answer.status}: ${answer.text}`);
    return answer.body as Record<string, unknown>;
  };
  const ramal = '2000';
  const person = { first_name: 'Ana', last_name: 'Souza', email_address: `ana@${domain}` };
  await request('POST', '/extensions', { ramal, senha: 'segredo-2000-x', ...person, gravar_audio: 1 });
  const [row] = await deployment.query('select id from accounts where domain = $1', [domain]);
  const accountId = Number(row?.id);
  await raiseCaps(deployment, accountId);
  const metadata = { webhookUrl: `${deployment.receiver.origin}/${accountId}`, webhookTypes: callTypes };
  const { id } = await request('PATCH', '/integrations', { gateway: 'crm', webhook: true, metadata });
  const { secret } = await request('GET', `/integrations/${id}/secret`);
  return { accountId, token, ramal, secret: String(secret) };
}

async function raiseCaps(deployment: WebhookDeployment, accountId: number): Promise<void> {
  await deployment.query(
    `insert into account_caps (account_id, calls_per_second, concurrent_calls, daily_spend_micros)
     values ($1, 10000, 100000, 1000000000000)`,
    [accountId],
  );
  await deployment.query(
    `insert into extension_presence
       (extension_id, account_id, registered_at, expires_at, sip_call_id, contact, transport, user_agent)
     select id, account_id, now(), now() + '1 day', 'call-id', 'sip:phone@192.0.2.1', 'udp', 'test'
       from extensions where account_id = $1`,
    [accountId],
  );
  const deps = { queueMail: async () => undefined, consoleUrl: '' };
  const gift = {
    accountId,
    micros: microsFromReais(credit),
    reason: 'Faults',
    key: 'faults',
    at: new Date(),
  };
  await inAccount(deployment.db, accountId, (tx) => adjustCredit(tx, deps, gift));
}

/** Places a call over HTTP, with retries until it succeeds. */
export async function placeCall(deployment: WebhookDeployment, { token, ramal }: Caller): Promise<string> {
  const key = randomUUID();
  const body = { caller: ramal, called: '5511999990016', extension: ramal, metadata: { deal: 'D-1' } };
  return await persist(async () => {
    const response = await fetch(`${deployment.apiUrl}/calls`, {
      method: 'POST',
      headers: { authorization: token, 'idempotency-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    const answer = (await response.json()) as { id?: string };
    if (response.status !== 200 || !answer.id)
      throw new Error(`Placing the call returned ${response.status}.`);
    return answer.id;
  });
}

/** Acts as the engine for all placed calls until none is left. Every step is idempotent. */
export async function playCalls(
  deployment: WebhookDeployment,
  random: Random,
  isMore: () => boolean,
): Promise<void> {
  for (;;) {
    const isLast = !isMore();
    await persist(() => claimCalls(deployment.db, lease, new Date(0), new Date(), 1_000));
    const calls = await persist(() => findCallsOfNode(deployment.db, node));
    if (calls.length === 0 && isLast) return;
    if (calls.length === 0) await sleep(50);
    await eightAtATime(calls, (call) => playCall(deployment, call, random.next() < 0.3 ? 0 : 42));
  }
}

type PlayedCall = Awaited<ReturnType<typeof findCallsOfNode>>[number];

async function playCall({ db }: WebhookDeployment, call: PlayedCall, seconds: number): Promise<void> {
  const at = new Date();
  const begin = at.getTime() / 1000;
  const move = createMover(db, lease);
  await persist(() => advanceCall(move, call, [{ to: 'ringing', at }]));
  await persist(() => advanceCall(move, call, [{ to: 'dialing', at }]));
  if (seconds > 0) await persist(() => advanceCall(move, call, [{ to: 'answered', at, onNode: begin }]));
  const end = {
    endedOnNode: begin + seconds,
    answeredOnNode: seconds > 0 ? begin : null,
    cause: seconds > 0 ? 16 : 17,
    sipStatus: seconds > 0 ? null : 486,
    dialStatus: seconds > 0 ? 'ANSWER' : 'BUSY',
    endedBy: seconds > 0 ? ('destination' as const) : null,
  };
  const endedAt = new Date(at.getTime() + seconds * 1000);
  await persist(() => endCall({ db, clock: systemClock, observer: noObserver }, call, end, endedAt));
}

export async function eightAtATime<T>(items: T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = items.values();
  const workers = Array.from({ length: 8 }, async () => {
    for (const item of queue) await work(item);
  });
  await Promise.all(workers);
}

const maxAttempts = 300;
const pauseMs = 200;

async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === maxAttempts) throw error;
      await sleep(pauseMs);
    }
  }
}
