import { sql } from 'kysely';
import type pg from 'pg';
import type { Tx } from '../../src/platform/db/database.ts';
import { microsFromReais } from '../../src/platform/money.ts';

/** A query as the owner of the database. */
export type OwnerQuery = (text: string, values?: unknown[]) => Promise<pg.QueryResultRow[]>;

export interface RateRow {
  prefix: string;
  /** Reais a minute. */
  price: number;
  minimum?: number;
  step?: number;
  free?: number;
}

/** A deck in force from a date on, written as the operator's import would. */
export async function insertDeck(
  query: OwnerQuery,
  rates: RateRow[],
  effectiveFrom = new Date(0),
): Promise<void> {
  const rows = rates.map(({ prefix, price, minimum = 30, step = 6, free = 3 }) => ({
    prefix,
    price: microsFromReais(price),
    minimum,
    step,
    free,
  }));
  await query(
    `with deck as (
       insert into rate_decks (name, effective_from, imported_at) values ($1, $2, now()) returning id)
     insert into rates (deck_id, prefix, description, price_per_minute_micros, minimum_seconds, step_seconds, free_seconds)
     select deck.id, r.prefix, 'Rate of ' || r.prefix, r.price, r.minimum, r.step, r.free
       from deck, jsonb_to_recordset($3) as r (prefix text, price bigint, minimum integer, step integer, free integer)`,
    [`deck of ${effectiveFrom.toISOString()}`, effectiveFrom, JSON.stringify(rows)],
  );
}

/** Accounts without people: for tests of money that need many and no API. */
export async function insertPlainAccounts(query: OwnerQuery, count: number): Promise<number[]> {
  const rows = await query(
    `insert into accounts (uuid, domain, name, email, phone, crm, user_quantity, status, mode, created_at, updated_at)
     select uuid, uuid || '.disca.test', 'Empresa', 'admin@empresa.test', '5511987654321', 'Outros', '1-5',
            'active', 'test', now(), now()
       from (select gen_random_uuid() as uuid from generate_series(1, $1)) fresh
     returning id`,
    [count],
  );
  return rows.map((row) => Number(row.id));
}

/** The charge behind entries that a test writes without a gateway: the audit asks for it. */
export async function noteCharge(
  tx: Tx,
  charge: { accountId: number; chargeId: number; amountMicros: number; feeMicros: number; at: Date },
): Promise<void> {
  const { accountId, chargeId, amountMicros, feeMicros, at } = charge;
  await sql`
    insert into charges (id, reference, account_id, book, user_id, gateway, payment_method, payment_id, due_date,
        amount_micros, fee_micros, description, status, status_updated_at, credited_micros, credited_fee_micros,
        movements, created_at)
    values (${chargeId}, gen_random_uuid(), ${accountId}, 'test', 1, 'sandbox', 'PIX', ${`pay_${chargeId}`}, ${at}::timestamptz::date,
        ${amountMicros}, ${feeMicros}, 'Credit', 'RECEIVED', ${at}, ${amountMicros}, ${feeMicros}, 1, ${at})
    on conflict do nothing`.execute(tx);
}

export async function noteTakenBack(tx: Tx, { chargeId }: { chargeId: number }): Promise<void> {
  await sql`update charges set status = 'REFUNDED', credited_micros = 0, credited_fee_micros = 0, movements = 2
             where id = ${chargeId}`.execute(tx);
}
