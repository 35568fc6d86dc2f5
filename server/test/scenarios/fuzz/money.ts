import { randomUUID } from 'node:crypto';
import { adjustCredit, holdForCall } from '../../../src/contexts/billing/index.ts';
import type { Api } from '../../../src/main/wire.ts';
import { inAccount } from '../../../src/platform/db/database.ts';
import { insertCalls } from '../../harness/fixtures/call-rows.ts';
import { settleCall } from '../../harness/fixtures/settle-call.ts';

const callCount = 3;

type Query = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** Adds credit and calls that used some of it, for the routes that show ledger entries and calls. */
export async function addCreditAndCalls(
  { app, base }: Api,
  query: Query,
  accountId: number,
): Promise<string[]> {
  const at = base.clock.now();
  const account = { id: accountId, domain: 'fuzz.disca.test' };
  const made = Array.from({ length: callCount }, () => ({ startedAt: at, metadata: { deal: 'D1' } }));
  const callIds = await insertCalls({ query }, account, made);
  return await inAccount(base.db, accountId, async (tx) => {
    const credit = { accountId, micros: 100_000_000, reason: 'For calls', key: randomUUID(), at };
    await adjustCredit(tx, app, credit);
    const calls = callIds.map((callId) => ({ accountId, callId, at }));
    for (const call of calls) await holdForCall(tx, app, { ...call, destination: '5511987654321' });
    for (const call of calls.slice(1)) await settleCall(tx, { ...call, usedSeconds: 31 });
    return callIds;
  });
}

/** Inserts rates, unless an earlier run left them. */
export async function ensureRates(query: Query): Promise<void> {
  const made = await query(
    `insert into rate_decks (name, effective_from, imported_at) values ('fuzz', $1, $1)
     on conflict do nothing returning id`,
    [new Date(0)],
  );
  await query(
    `insert into rates (deck_id, prefix, description, price_per_minute_micros, minimum_seconds, step_seconds, free_seconds)
     select unnest($1::bigint[]), '55', 'Brazil', 120000, 30, 6, 3`,
    [made.map(({ id }) => id)],
  );
}
