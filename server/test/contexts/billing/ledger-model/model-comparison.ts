import { priceMicros } from '../../../../src/contexts/billing/rates/rating.rules.ts';
import { noteEnd } from './model-operations.ts';
import type { ModelAccount, ModelCall, ModelState } from './model-state.ts';
import { settle } from './settlement.ts';

const thresholdMicros = 10_000_000;

interface LedgerRow {
  account_id: number;
  number: number;
  kind: string;
  subject_id: string;
  idempotency_key: string;
  available_micros: number;
  held_micros: number;
  revenue_micros: number;
  gateway_micros: number;
  adjustments_micros: number;
  balance_after_micros: number;
}

interface HoldRow {
  call_id: string;
  state: 'open' | 'settled' | 'expired';
  funded_seconds: number;
  held_micros: number;
  expires_at: Date;
  settled_at: Date | null;
  used_seconds: number | null;
  billed_seconds: number | null;
  price_micros: number | null;
}

/**
 * Compares the ledger with the model while all clients pause: it must contain exactly what was confirmed, and every
 * transaction must be valid.
 */
export async function compare(model: ModelState): Promise<void> {
  const rows = await newTransactions(model);
  const holds = await readHolds(model);
  for (const account of model.accounts) {
    const available = replay(account, rows.get(account.id) ?? []);
    for (const refusal of account.refusals) {
      const { firstNumber, lastNumber, neededMicros, operation } = refusal;
      const wasInsufficient = available.slice(
        firstNumber - available.offset,
        lastNumber - available.offset + 1,
      );
      if (!wasInsufficient.some((micros) => micros < neededMicros))
        throw new Error(`${operation} was rejected in account ${account.id} although credit was sufficient.`);
    }
    account.refusals = [];
    compareCalls(account, holds);
    compareBalance(account);
  }
}

async function newTransactions(model: ModelState): Promise<Map<number, LedgerRow[]>> {
  const { accounts } = model;
  const rows = (await model.query(
    `select t.* from unnest($1::bigint[], $2::bigint[]) as known (account_id, number)
       join ledger_transactions t on t.account_id = known.account_id and t.book = 'test' and t.number > known.number
      order by t.account_id, t.number`,
    [accounts.map(({ id }) => id), accounts.map(({ ledger }) => ledger.number)],
  )) as LedgerRow[];
  return Map.groupBy(rows, (row) => row.account_id);
}

async function readHolds(model: ModelState): Promise<Map<string, HoldRow>> {
  const calls = model.accounts.flatMap(({ calls, abandoned, ended }) => [...calls, ...abandoned, ...ended]);
  const rows = (await model.query(
    `select h.call_id, state, funded_seconds, held_micros, expires_at, settled_at, used_seconds, billed_seconds, price_micros
       from unnest($1::bigint[], $2::uuid[]) as known (account_id, call_id)
       join call_holds h on h.account_id = known.account_id and h.call_id = known.call_id`,
    [calls.map(({ account }) => account.id), calls.map(({ callId }) => callId)],
  )) as HoldRow[];
  return new Map(rows.map((row) => [row.call_id, row]));
}

/** Replays the book from the last comparison. Returns the available credit after each number, including the first. */
function replay(account: ModelAccount, rows: LedgerRow[]): number[] & { offset: number } {
  const { ledger } = account;
  const available = Object.assign([ledger.availableMicros], { offset: ledger.number });
  const keys = new Set<string>();
  for (const row of rows) {
    const isLow = ledger.availableMicros < thresholdMicros;
    ledger.number += 1;
    ledger.availableMicros += row.available_micros;
    ledger.heldMicros += row.held_micros;
    if (!isLow && ledger.availableMicros < thresholdMicros) ledger.timesLow += 1;
    const fault = findRowFault(row, ledger);
    if (fault ?? keys.has(row.idempotency_key))
      throw new Error(`Transaction ${row.number} of account ${account.id}: ${fault ?? 'applied twice'}.`);
    keys.add(row.idempotency_key);
    available.push(ledger.availableMicros);
  }
  return available;
}

function findRowFault(row: LedgerRow, ledger: ModelAccount['ledger']): string | undefined {
  const legs =
    row.available_micros + row.held_micros + row.revenue_micros + row.gateway_micros + row.adjustments_micros;
  if (legs !== 0) return 'does not sum to zero';
  if (row.number !== ledger.number) return 'follows a gap';
  if (row.balance_after_micros !== ledger.availableMicros + ledger.heldMicros) return 'has the wrong balance';
  if (ledger.heldMicros < 0) return 'has a negative hold';
  const isBelowZero = row.available_micros < 0 && ledger.availableMicros < 0;
  if (isBelowZero && row.kind !== 'refund' && row.kind !== 'chargeback')
    return `takes credit below zero by ${row.kind}`;
  return undefined;
}

function compareCalls(account: ModelAccount, holds: Map<string, HoldRow>): void {
  for (const call of [...account.calls, ...account.abandoned, ...account.ended]) {
    const row = holds.get(call.callId);
    if (!row) throw new Error(`${call.callId} has no hold.`);
    if (row.state === 'expired') noteEnd(call, { usedSeconds: 0, billedSeconds: 0, priceMicros: 0 });
    const fault = findCallFault(call, row);
    if (fault) throw new Error(`${call.callId}: ${fault}.`);
  }
  account.ended = [];
}

function findCallFault(call: ModelCall, row: HoldRow): string | undefined {
  const { rate, settlement } = call;
  if (row.funded_seconds !== call.fundedSeconds)
    return `funded for ${row.funded_seconds} s, confirmed were ${call.fundedSeconds} s`;
  if (row.state === 'open') {
    if (settlement) return 'open although it was settled';
    return row.held_micros === priceMicros(rate, row.funded_seconds) ? undefined : 'holds the wrong amount';
  }
  if (row.held_micros !== 0) return 'ended but still holds';
  if (!settlement) return 'settled without a request';
  if ((row.billed_seconds ?? 0) > row.funded_seconds) return 'billed beyond what was funded';
  const stored = {
    usedSeconds: row.used_seconds,
    billedSeconds: row.billed_seconds,
    priceMicros: row.price_micros,
  };
  if (JSON.stringify(stored) !== JSON.stringify(settlement))
    return 'stored a settlement other than the one returned';
  if (row.state === 'expired') return (row.settled_at ?? 0) < row.expires_at ? 'expired early' : undefined;
  const possible = [...call.askedSeconds].map((used) =>
    JSON.stringify(settle(rate, row.funded_seconds, used)),
  );
  return possible.includes(JSON.stringify(settlement))
    ? undefined
    : 'settled with a length that was never requested';
}

function compareBalance({
  id,
  ledger,
  creditMicros,
  priceMicros: prices,
  calls,
  abandoned,
}: ModelAccount): void {
  const held = [...calls, ...abandoned].reduce(
    (sum, { rate, fundedSeconds }) => sum + priceMicros(rate, fundedSeconds),
    0,
  );
  const expected = { availableMicros: creditMicros - prices - held, heldMicros: held };
  const actual = { availableMicros: ledger.availableMicros, heldMicros: ledger.heldMicros };
  if (JSON.stringify(expected) !== JSON.stringify(actual))
    throw new Error(`Account ${id}: ${JSON.stringify({ expected, actual })}.`);
}

/** Checks that every time the credit fell below the threshold was reported once. */
export async function compareWarnings(model: ModelState): Promise<void> {
  const rows = await model.query(
    `select account_id, count(*) as times from recorded_events where type = 'balance-low' group by account_id`,
  );
  const reported = new Map(rows.map((row) => [row.account_id, row.times]));
  for (const { id, ledger } of model.accounts) {
    const times = reported.get(id) ?? 0;
    if (times !== ledger.timesLow)
      throw new Error(
        `Account ${id} fell below the threshold ${ledger.timesLow} times and reported it ${times} times.`,
      );
  }
}
