import { type Selectable, sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';
import type { Charges } from '../../platform/db/schema.ts';
import { violatedConstraint } from '../../platform/db/unavailable.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Book } from '../billing/index.ts';
import type { Charge } from './charge.ts';
import { type ChargeStatus, cardMethods, type GatewayName, type PaymentMethod } from './gateway.ts';

export const chargeFromRow = (row: Selectable<Charges>): Charge => ({
  id: row.id,
  reference: row.reference,
  accountId: row.account_id,
  book: row.book as Book,
  userId: row.user_id,
  gateway: row.gateway as GatewayName,
  paymentMethod: row.payment_method as PaymentMethod,
  paymentId: row.payment_id,
  paymentCode: row.payment_code,
  paymentLink: row.payment_link,
  invoiceId: row.invoice_id,
  invoiceLink: row.invoice_link,
  dueDate: row.due_date,
  amountMicros: row.amount_micros,
  feeMicros: row.fee_micros,
  description: row.description,
  status: row.status as ChargeStatus,
  statusUpdatedAt: row.status_updated_at,
  creditedMicros: row.credited_micros,
  creditedFeeMicros: row.credited_fee_micros,
  movements: row.movements,
  paidWith: row.paid_with as PaymentMethod | null,
  retainedMicros: row.retained_micros,
  retainedUntil: row.retained_until,
  paidAt: row.paid_at,
  refundedAt: row.refunded_at,
  receivedAt: row.received_at,
  createdAt: row.created_at,
  nextCheckAt: row.next_check_at,
});

const selectAll = (tx: Tx, accountId: number) =>
  tx.selectFrom('charges').selectAll().where('account_id', '=', accountId);

export type NewCharge = Pick<
  Charge,
  | 'reference'
  | 'accountId'
  | 'book'
  | 'userId'
  | 'gateway'
  | 'paymentMethod'
  | 'dueDate'
  | 'amountMicros'
  | 'feeMicros'
  | 'description'
  | 'createdAt'
  | 'nextCheckAt'
>;

/** Refuses while the account has an open charge, including one created concurrently. */
export async function insertCharge(tx: Tx, charge: NewCharge): Promise<number> {
  try {
    const { id } = await tx
      .insertInto('charges')
      .values({
        reference: charge.reference,
        account_id: charge.accountId,
        book: charge.book,
        user_id: charge.userId,
        gateway: charge.gateway,
        payment_method: charge.paymentMethod,
        due_date: charge.dueDate,
        amount_micros: charge.amountMicros,
        fee_micros: charge.feeMicros,
        description: charge.description,
        status: 'PENDING',
        status_updated_at: charge.createdAt,
        created_at: charge.createdAt,
        next_check_at: charge.nextCheckAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  } catch (error) {
    if (violatedConstraint(error) !== 'charges_one_open') throw error;
    throw new Refusal('OPEN_CHARGE_EXISTS', 'The account has an open charge. Pay or cancel it first.');
  }
}

/** Finds a charge that has a payment at the gateway. A charge whose payment is still being created is not returned. */
export async function findCharge(tx: Tx, accountId: number, id: number): Promise<Charge | undefined> {
  const row = await selectAll(tx, accountId)
    .where('id', '=', id)
    .where('payment_id', 'is not', null)
    .executeTakeFirst();
  return row && chargeFromRow(row);
}

export async function lockCharge(tx: Tx, accountId: number, id: number): Promise<Charge | undefined> {
  const row = await selectAll(tx, accountId).where('id', '=', id).forUpdate().executeTakeFirst();
  return row && chargeFromRow(row);
}

export async function saveCharge(tx: Tx, charge: Charge): Promise<void> {
  await tx
    .updateTable('charges')
    .set({
      payment_id: charge.paymentId,
      payment_code: charge.paymentCode,
      payment_link: charge.paymentLink,
      invoice_id: charge.invoiceId,
      invoice_link: charge.invoiceLink,
      status: charge.status,
      status_updated_at: charge.statusUpdatedAt,
      credited_micros: charge.creditedMicros,
      credited_fee_micros: charge.creditedFeeMicros,
      movements: charge.movements,
      paid_with: charge.paidWith,
      retained_micros: charge.retainedMicros,
      retained_until: charge.retainedUntil,
      paid_at: charge.paidAt,
      refunded_at: charge.refundedAt,
      received_at: charge.receivedAt,
      next_check_at: charge.nextCheckAt,
    })
    .where('account_id', '=', charge.accountId)
    .where('id', '=', charge.id)
    .execute();
}

/** Deletes a charge unless it has a payment. */
export async function deleteCharge(tx: Tx, accountId: number, id: number): Promise<void> {
  await tx
    .deleteFrom('charges')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('payment_id', 'is', null)
    .execute();
}

export const selectCharges = (tx: Tx, accountId: number, book: Book) =>
  selectAll(tx, accountId)
    .select((row) => [
      // Amount in reais, for filters.
      sql<string>`${row.ref('amount_micros')} / 1000000.0`.as('amount'),
      sql<string>`(${row.ref('amount_micros')} + ${row.ref('fee_micros')}) / 1000000.0`.as('total_amount'),
      sql<string>`${row.ref('fee_micros')} / 1000000.0`.as('tax_amount'),
      sql<Date>`${row.ref('due_date')}::timestamp at time zone 'America/Sao_Paulo'`.as('due_at'),
      // Constant for every charge; see presentWhole.
      sql<string>`'CREDIT'::text`.as('type'),
      sql<boolean>`false`.as('has_erp_invoice'),
      sql<object>`'{}'::jsonb`.as('metadata'),
    ])
    .where('book', '=', book)
    .where('payment_id', 'is not', null);

/**
 * Returns when the account was created, and the sum of its other card payments. Payments of the account wait for each
 * other until the transaction ends.
 */
export async function findCardPayments(
  tx: Tx,
  { id, accountId, book }: Charge,
): Promise<{ accountCreatedAt: Date; otherMicros: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`card-payments:${accountId}`}, 0))`.execute(tx);
  const row = await tx
    .selectFrom('account_info as a')
    .leftJoin('charges as c', (join) =>
      join
        .onRef('c.account_id', '=', 'a.id')
        .on('c.book', '=', book)
        .on('c.id', '!=', id)
        .on('c.paid_with', 'in', cardMethods)
        .on('c.status', 'in', ['CONFIRMED', 'RECEIVED']),
    )
    .select([
      'a.created_at as accountCreatedAt',
      sql<number>`coalesce(sum(c.amount_micros), 0)::bigint`.as('otherMicros'),
    ])
    .where('a.id', '=', accountId)
    .groupBy('a.created_at')
    .executeTakeFirstOrThrow();
  return { ...row, accountCreatedAt: row.accountCreatedAt ?? new Date(0) };
}

export interface ChargeAt {
  accountId: number;
  chargeId: number;
}

export async function findPayment(
  db: Database,
  gateway: GatewayName,
  paymentId: string,
): Promise<ChargeAt | undefined> {
  const query = sql<ChargeAt>`
    select account_id as "accountId", charge_id as "chargeId" from find_payment(${gateway}, ${paymentId})`;
  const [row] = await queryRows(db, query);
  return row;
}

export async function findReference(
  db: Database,
  gateway: GatewayName,
  reference: string,
): Promise<ChargeAt | undefined> {
  const query = sql<ChargeAt>`
    select account_id as "accountId", charge_id as "chargeId" from find_reference(${gateway}, ${reference})`;
  const [row] = await queryRows(db, query);
  return row;
}

export async function findChargesToCheck(db: Database, at: Date, limit: number): Promise<ChargeAt[]> {
  const query = sql<ChargeAt>`
    select account_id as "accountId", charge_id as "chargeId" from find_charges_to_check(${at}, ${limit})`;
  return await queryRows(db, query);
}

/** Returns the payment of a sandbox charge, for the simulated payer. */
export async function findSandboxPayment(tx: Tx, accountId: number, id: number): Promise<string | undefined> {
  const charge = await findCharge(tx, accountId, id);
  return charge?.gateway === 'sandbox' ? (charge.paymentId ?? undefined) : undefined;
}
