import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { SandboxPayments } from '../../platform/db/schema.ts';
import type { Payment } from './payment.ts';

type Row = Omit<Selectable<SandboxPayments>, 'due_date'> & { due_date: string };

const paymentFromRow = (row: Row): Payment => ({
  id: row.id,
  number: row.number,
  reference: row.reference,
  method: row.method as Payment['method'],
  totalMicros: row.total_micros,
  dueDate: row.due_date,
  description: row.description,
  status: row.status as Payment['status'],
  paidBy: row.paid_by as Payment['paidBy'],
  createdAt: row.created_at,
  refusedAt: row.refused_at,
  paidAt: row.paid_at,
  receivedAt: row.received_at,
  refundedAt: row.refunded_at,
});

// Reads dates as text; a Date would shift with the time zone of the process.
const selectAll = (tx: Tx) =>
  tx
    .selectFrom('sandbox_payments')
    .selectAll()
    .select(sql<string>`to_char(due_date, 'YYYY-MM-DD')`.as('due_date'));

export type NewPayment = Pick<
  Payment,
  'id' | 'reference' | 'method' | 'totalMicros' | 'dueDate' | 'description' | 'createdAt'
>;

/** Creates the payment unless its reference already has one, and returns it. */
export async function ensurePayment(tx: Tx, payment: NewPayment): Promise<Payment> {
  await tx
    .insertInto('sandbox_payments')
    .values({
      id: payment.id,
      reference: payment.reference,
      method: payment.method,
      total_micros: payment.totalMicros,
      due_date: payment.dueDate,
      description: payment.description,
      status: 'PENDING',
      created_at: payment.createdAt,
    })
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .execute();
  const row = await selectAll(tx).where('reference', '=', payment.reference).executeTakeFirstOrThrow();
  return paymentFromRow(row);
}

// Rejects malformed ids from links before they reach the database.
const idShape = /^sbx_[\w-]{22}$/;

export async function findPayment(tx: Tx, id: string): Promise<Payment | undefined> {
  if (!idShape.test(id)) return undefined;
  const row = await selectAll(tx).where('id', '=', id).executeTakeFirst();
  return row && paymentFromRow(row);
}

export async function lockPayment(tx: Tx, id: string): Promise<Payment | undefined> {
  if (!idShape.test(id)) return undefined;
  const row = await selectAll(tx).where('id', '=', id).forUpdate().executeTakeFirst();
  return row && paymentFromRow(row);
}

export async function savePayment(tx: Tx, payment: Payment): Promise<void> {
  await tx
    .updateTable('sandbox_payments')
    .set({
      status: payment.status,
      paid_by: payment.paidBy,
      refused_at: payment.refusedAt,
      paid_at: payment.paidAt,
      received_at: payment.receivedAt,
      refunded_at: payment.refundedAt,
    })
    .where('id', '=', payment.id)
    .execute();
}
