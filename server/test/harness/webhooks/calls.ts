import { createHash } from 'node:crypto';
import {
  advanceCall,
  claimCalls,
  createMover,
  endCall,
  type LiveCall,
} from '../../../src/contexts/calls/index.ts';
import type { Client } from '../client.ts';
import { addDeck, giveCredit } from '../fixtures/billing.ts';
import { extensionBody, markRegistered } from '../fixtures/extensions.ts';
import type { TestAccount } from '../people.ts';
import type { SharedPlatform } from '../platform.ts';

export interface CallScript {
  /** Seconds of talk; 0 for an unanswered call. */
  seconds?: number;
  metadata?: Record<string, unknown>;
  to?: string;
  client?: Client;
  /** E-mail of the extension, and thereby of the user who owns the calls. */
  email?: string;
  isRecorded?: boolean;
}

const node = 'm1';
const prepared = new WeakMap<object, Map<string, string>>();

/** Runs a call through the real use cases with a scripted engine, for tests without SIP. */
export async function runCall(
  platform: SharedPlatform,
  account: TestAccount,
  script: CallScript = {},
): Promise<{ id: string }> {
  const { seconds = 10, metadata = {}, to = '5511999990016', client = account.admin.client } = script;
  const ramal = await ensureExtension(platform, account, script);
  const placed = await client.post('/calls', { caller: ramal, called: to, extension: ramal, metadata });
  if (placed.status !== 200) throw new Error(`Placing the call returned ${placed.status}: ${placed.text}`);
  const id = placed.body.id as string;
  await runAcceptedCall(platform, id, seconds);
  return { id };
}

/** Runs an accepted call to its end. */
export async function runAcceptedCall(platform: SharedPlatform, id: string, seconds: number): Promise<void> {
  const { db, observer } = platform.api.base;
  const lease = { node, epoch: 0 };
  const now = platform.clock.now();
  const claimed = await claimCalls(db, lease, new Date(0), now, 1_000);
  const call = claimed.find(({ callId }) => callId === id) ?? (await readLive(platform, id));
  const begin = now.getTime() / 1000;
  const move = createMover(db, lease);
  await advanceCall(move, call, [{ to: 'ringing', at: now }]);
  await advanceCall(move, call, [{ to: 'dialing', at: now }]);
  if (seconds > 0) await advanceCall(move, call, [{ to: 'answered', at: now, onNode: begin }]);
  const end = {
    endedOnNode: begin + seconds,
    answeredOnNode: seconds > 0 ? begin : null,
    cause: seconds > 0 ? 16 : 17,
    sipStatus: seconds > 0 ? null : 486,
    dialStatus: seconds > 0 ? 'ANSWER' : 'BUSY',
    endedBy: seconds > 0 ? ('destination' as const) : null,
  };
  await endCall({ db, clock: platform.clock, observer }, call, end, new Date((begin + seconds) * 1000));
}

async function readLive({ database }: SharedPlatform, id: string): Promise<LiveCall> {
  const [row] = await database.query<{ account_id: number; funded_seconds: number }>(
    'select account_id, funded_seconds from live_calls where call_id = $1',
    [id],
  );
  if (!row) throw new Error(`Call ${id} is not live.`);
  return { callId: id, accountId: Number(row.account_id), fundedSeconds: row.funded_seconds } as LiveCall;
}

/** Returns the extension per account, e-mail and recording setting, created with its prerequisites on first use. */
export async function ensureExtension(
  platform: SharedPlatform,
  account: TestAccount,
  { email = '', isRecorded = true }: CallScript = {},
): Promise<string> {
  const key = `${account.id}:${email}:${isRecorded}`;
  const extensions = prepared.get(platform.database) ?? new Map<string, string>();
  prepared.set(platform.database, extensions);
  const existing = extensions.get(key);
  if (existing) return existing;
  if (extensions.size === 0) await prepare(platform);
  const body = extensionBody({
    gravar_audio: isRecorded ? 1 : 0,
    ...(email ? { email_address: email } : {}),
  });
  const { body: extension } = await account.admin.client.post('/extensions', body);
  await markRegistered(platform, extension.id, 365 * 24 * 3600);
  await giveCredit(platform, account.id, 10_000);
  await platform.database.query(
    `insert into account_caps (account_id, calls_per_second, concurrent_calls, daily_spend_micros)
     values ($1, 10000, 100000, 1000000000000) on conflict do nothing`,
    [account.id],
  );
  extensions.set(key, extension.ramal);
  return extension.ramal;
}

async function prepare(platform: SharedPlatform): Promise<void> {
  await addDeck(platform, [{ prefix: '55', price: 0.6 }]);
  await platform.database.query(
    `insert into media_nodes (name, secret_hash, sip_address, created_at) values ($1, $2, '127.0.0.1:1', now())`,
    [node, createHash('sha256').update(node).digest()],
  );
}
