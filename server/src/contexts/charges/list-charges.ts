import type { Caller } from '../../platform/caller.ts';
import { inAccount } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { defineList, fetchPageOrCursor, parseFilter, pickFields } from '../../platform/filter/index.ts';
import type { PageQuery } from '../../platform/list-schemas.ts';
import { findBook } from '../billing/index.ts';
import { chargeFromRow, findCharge, selectCharges } from './charge.store.ts';
import type { Charge } from './charge.ts';
import type { ChargeDeps } from './create-charge.ts';
import { chargeStatuses, paymentMethods } from './gateway.ts';
import { gatewayRefusal } from './gateways.ts';

const charges = defineList({
  name: 'charges',
  fields: {
    id: { type: 'integer', sortable: true },
    userId: { type: 'integer', column: 'user_id', sortable: true },
    organizationId: { type: 'integer', column: 'account_id', sortable: true },
    gateway: { type: 'enum', values: ['asaas', 'sandbox'], sortable: true },
    type: { type: 'enum', values: ['CREDIT'], sortable: true },
    paymentMethod: { type: 'enum', column: 'payment_method', values: paymentMethods, sortable: true },
    paymentId: { type: 'text', column: 'payment_id', sortable: true },
    paymentCode: { type: 'text', column: 'payment_code', sortable: true, nullable: true },
    paymentLink: { type: 'text', column: 'payment_link', sortable: true, nullable: true },
    invoiceId: { type: 'text', column: 'invoice_id', sortable: true, nullable: true },
    invoiceLink: { type: 'text', column: 'invoice_link', sortable: true, nullable: true },
    // Shown as midnight in Sao Paulo, whatever the account's time zone.
    dueDate: { type: 'timestamp', column: 'due_at', sortable: true, timeZone: 'America/Sao_Paulo' },
    amount: { type: 'number', sortable: true },
    taxAmount: { type: 'number', column: 'tax_amount', sortable: true },
    totalAmount: { type: 'number', column: 'total_amount', sortable: true },
    description: { type: 'text', sortable: true },
    status: { type: 'enum', values: chargeStatuses, sortable: true },
    statusUpdatedAt: { type: 'timestamp', column: 'status_updated_at', sortable: true },
    createdAt: { type: 'timestamp', column: 'created_at', sortable: true, aliases: ['date'] },
    paidAt: { type: 'timestamp', column: 'paid_at', sortable: true, nullable: true },
    refundedAt: { type: 'timestamp', column: 'refunded_at', sortable: true, nullable: true },
    receivedAt: { type: 'timestamp', column: 'received_at', sortable: true, nullable: true },
    hasErpInvoice: { type: 'boolean', column: 'has_erp_invoice', sortable: true },
    metadata: { type: 'json' },
  },
  defaultOrder: ['createdAt DESC', 'id DESC'],
  tieBreaker: 'id',
  maxLimit: 100,
});

export async function listCharges<Shown extends object>(
  deps: ChargeDeps,
  caller: Caller,
  { filter, page, cursor }: PageQuery,
  present: (charge: Charge) => Shown,
) {
  const asked = parseFilter(charges, filter);
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const query = await asked.forAccount(tx, caller.accountId);
    const source = selectCharges(tx, caller.accountId, await findBook(tx, caller.accountId));
    const result = await fetchPageOrCursor(tx, charges, source, query, { page, cursor });
    return { ...result, data: result.rows.map((row) => pickFields(query, present(chargeFromRow(row)))) };
  });
}

export async function getCharge(deps: ChargeDeps, caller: Caller, id: number): Promise<Charge> {
  const charge = await inAccount(deps.db, caller.accountId, (tx) => findCharge(tx, caller.accountId, id));
  if (!charge) throw notFound();
  return charge;
}

/** Returns the copy-and-paste code and QR image of a charge's instant payment. */
export async function getPix(deps: ChargeDeps, caller: Caller, id: number) {
  const charge = await getCharge(deps, caller, id);
  const gateway = deps.gateways.named(charge.gateway);
  if (!gateway || !charge.paymentId) throw notFound();
  try {
    return await gateway.readPix(charge.paymentId);
  } catch (error) {
    throw gatewayRefusal(error);
  }
}
