import { type Selectable, sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../../platform/db/database.ts';
import { executePrepared, prepared } from '../../../platform/db/prepared.ts';
import type { CallHolds } from '../../../platform/db/schema.ts';
import type { Refusal } from '../../../platform/errors.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import type { Book } from '../ledger/ledger.ts';
import { prefixesOf, type Rate, type Settlement } from '../rates/rating.rules.ts';

export interface MatchedRate extends Rate {
  deckName: string;
  prefix: string;
  description: string;
}

/** Selects the longest matching prefix in the deck in effect at that time. */
const matchingRate = (destination: string, at: Date) => sql<MatchedRate>`
  select d.name as "deckName", r.prefix, r.description, r.price_per_minute_micros as "pricePerMinuteMicros",
         r.minimum_seconds as "minimumSeconds", r.step_seconds as "stepSeconds", r.free_seconds as "freeSeconds"
    from (select id, name from rate_decks where effective_from <= ${at} order by effective_from desc limit 1) d
    join rates r on r.deck_id = d.id and r.prefix = any(${prefixesOf(destination)})
   order by length(r.prefix) desc limit 1`;

export async function findRate(tx: Tx, destination: string, at: Date): Promise<MatchedRate | undefined> {
  const { rows } = await matchingRate(destination, at).execute(tx);
  return rows[0];
}

export interface SettledCall extends Settlement {
  pricePerMinuteMicros: number;
}

export interface FundingInputs {
  book: Book;
  availableMicros: number;
  /** Cost of today's calls plus the holds of running ones. */
  daySpendMicros: number;
  rate: MatchedRate | undefined;
}

/** Reads everything a new hold depends on, in one query. */
export async function findFundingInputs(
  tx: Tx,
  call: { accountId: number; destination: string; at: Date },
): Promise<FundingInputs> {
  const query = sql<Omit<FundingInputs, 'rate'> & (MatchedRate | { deckName: null })>`
    select a.mode as book, coalesce(b.available_micros, 0) as "availableMicros",
           coalesce(b.held_micros + spent_at(${call.at}, b.spent_on, b.spent_micros), 0) as "daySpendMicros",
           r.*
      from account_info a
      left join ledger_balances b on b.account_id = a.id and b.book = a.mode
      left join lateral (${matchingRate(call.destination, call.at)}) r on true
     where a.id = ${call.accountId}`;
  const [row] = await executePrepared(tx, query.compile(tx));
  if (!row) throw new Error(`No account ${call.accountId}.`);
  const { book, availableMicros, daySpendMicros, ...rate } = row;
  return { book, availableMicros, daySpendMicros, rate: rate.deckName === null ? undefined : rate };
}

export interface Hold {
  callId: string;
  accountId: number;
  book: Book;
  state: 'open' | 'settled' | 'expired';
  destination: string;
  rate: MatchedRate;
  fundedSeconds: number;
  heldMicros: number;
  renewals: number;
  createdAt: Date;
  expiresAt: Date;
  settledAt: Date | null;
  settlement: Settlement | undefined;
}

const fromRow = (row: Selectable<CallHolds>): Hold => ({
  callId: row.call_id,
  accountId: row.account_id,
  book: row.book as Book,
  state: row.state as Hold['state'],
  destination: row.destination,
  rate: {
    deckName: row.deck_name,
    prefix: row.prefix,
    description: '',
    pricePerMinuteMicros: row.price_per_minute_micros,
    minimumSeconds: row.minimum_seconds,
    stepSeconds: row.step_seconds,
    freeSeconds: row.free_seconds,
  },
  fundedSeconds: row.funded_seconds,
  heldMicros: row.held_micros,
  renewals: row.renewals,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  settledAt: row.settled_at,
  settlement:
    row.used_seconds === null || row.billed_seconds === null || row.price_micros === null
      ? undefined
      : { usedSeconds: row.used_seconds, billedSeconds: row.billed_seconds, priceMicros: row.price_micros },
});

/** A slot of the account for the call: the limits, and the refusal if one of them is reached. */
export interface CallSlot {
  callsPerSecond: number;
  /** If undefined, the number of extensions, at least ten and at most the default budget. */
  concurrentCalls: number | undefined;
  refusal(limit: 'rate' | 'concurrency'): Refusal;
}

interface OpenedHold {
  outcome: 'held' | 'spend' | 'credit' | 'rate' | 'concurrency';
  availableMicros: number;
  becameLow: boolean;
}

/** Holds the credit and reserves the slot, if the balance allows both once it is locked. */
export async function openHold(
  tx: Tx,
  hold: Hold,
  { maxDaySpendMicros, slot }: { maxDaySpendMicros: number | undefined; slot: CallSlot | undefined },
): Promise<OpenedHold> {
  const at = hold.createdAt;
  const query = prepared<OpenedHold>`
    select outcome, available as "availableMicros", became_low as "becameLow"
      from hold_for_call(jsonb_populate_record(null::call_holds, ${JSON.stringify(rowOf(hold))}), ${at}, ${uuidv7(at)},
        (select balance_low_threshold_micros from account_info where id = ${hold.accountId}),
        ${maxDaySpendMicros ?? null}, ${hold.heldMicros > 0}, true, ${slot !== undefined},
        ${slot?.callsPerSecond ?? null}, ${slot?.concurrentCalls ?? null}, true)`;
  const [opened] = await executePrepared(tx, query);
  if (!opened) throw new Error('hold_for_call returned no row.');
  return opened;
}

const rowOf = ({ rate, ...hold }: Hold) => ({
  call_id: hold.callId,
  account_id: hold.accountId,
  book: hold.book,
  state: hold.state,
  destination: hold.destination,
  deck_name: rate.deckName,
  prefix: rate.prefix,
  price_per_minute_micros: rate.pricePerMinuteMicros,
  minimum_seconds: rate.minimumSeconds,
  step_seconds: rate.stepSeconds,
  free_seconds: rate.freeSeconds,
  funded_seconds: hold.fundedSeconds,
  held_micros: hold.heldMicros,
  renewals: hold.renewals,
  created_at: hold.createdAt,
  expires_at: hold.expiresAt,
});

export async function findHolds(tx: Tx, accountId: number, callIds: string[]): Promise<Hold[]> {
  const rows = await tx
    .selectFrom('call_holds')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('call_id', '=', sql<string>`any(${callIds})`)
    .execute();
  return rows.map(fromRow);
}

/**
 * Locks the hold before the balance; every transaction uses this order, and handles one call. A new hold is inserted
 * after its posting, because no other transaction can lock it before.
 */
export async function lockHold(tx: Tx, accountId: number, callId: string): Promise<Hold | undefined> {
  const query = prepared<Selectable<CallHolds>>`
    select call_id, account_id, book, state, destination, deck_name, prefix, price_per_minute_micros, minimum_seconds,
           step_seconds, free_seconds, funded_seconds, held_micros, renewals, created_at, expires_at, settled_at,
           used_seconds, billed_seconds, price_micros
      from call_holds
     where account_id = ${accountId} and call_id = ${callId} for update`;
  const [row] = await executePrepared(tx, query);
  return row && fromRow(row);
}

export async function saveFunding(tx: Tx, hold: Hold): Promise<void> {
  const query = prepared`
    update call_holds set funded_seconds = ${hold.fundedSeconds}, held_micros = ${hold.heldMicros},
           renewals = ${hold.renewals}, expires_at = ${hold.expiresAt}
     where account_id = ${hold.accountId} and call_id = ${hold.callId}`;
  await executePrepared(tx, query);
}

/** Charges the call for its use and releases the rest of its hold. Returns the earlier charge if the hold is closed. */
export async function closeHold(
  tx: Tx,
  callId: string,
  state: 'settled' | 'expired',
  usedSeconds: number,
  at: Date,
): Promise<SettledCall> {
  const query = prepared<SettledCall>`
    select used_seconds as "usedSeconds", billed_seconds as "billedSeconds", price_micros as "priceMicros",
           minute_price_micros as "pricePerMinuteMicros"
      from settle_hold(${callId}, ${state}, ${usedSeconds}, ${at}, ${uuidv7(at)}, 0)`;
  const [settled] = await executePrepared(tx, query);
  if (!settled) throw new Error('settle_hold returned no row.');
  return settled;
}

export async function findExpiredHolds(
  db: Database,
  at: Date,
  limit: number,
): Promise<{ accountId: number; callId: string }[]> {
  const query = sql<{ accountId: number; callId: string }>`
    select account_id as "accountId", call_id as "callId" from find_expired_holds(${at}, ${limit})`;
  return await queryRows(db, query);
}
