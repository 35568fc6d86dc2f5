import type { Caller } from '../../platform/caller.ts';
import { inAccount, type Tx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import type { JobQueue } from '../../platform/jobs.ts';
import { recordChangeBy } from '../audit/index.ts';
import { findBook } from '../billing/index.ts';
import type { ChargeDeps } from './create-charge.ts';
import {
  type FinancialAccount,
  findFinancial,
  findPayer,
  lockFinancial,
  saveFinancial,
} from './financial.store.ts';
import type { GatewayCustomer } from './gateway.ts';
import { gatewayRefusal } from './gateways.ts';
import { personType } from './tax-id.rules.ts';

export type FinancialDeps = ChargeDeps & { jobs: JobQueue };

export const syncCustomerQueue = {
  name: 'charges.sync-customer',
  retryLimit: 30,
  retryDelay: 30,
  retryBackoff: true,
  retryDelayMax: 3600,
  expireInSeconds: 60,
};

export async function getFinancial(deps: FinancialDeps, caller: Caller) {
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const book = await findBook(tx, caller.accountId);
    const financial = (await findFinancial(tx, caller.accountId, book)) ?? {
      ...nothingSent,
      accountId: caller.accountId,
      book,
    };
    return await present(tx, financial);
  });
}

const nothingSent = {
  status: 'PENDING' as const,
  cpfCnpj: null,
  phone: null,
  mobilePhone: null,
  additionalEmails: null,
  customerId: null,
};

/**
 * Registers the account as a customer of its gateway, which makes its tax id final. The row stays locked during the
 * request, so that two requests cannot send different tax ids. A retry finds the same customer.
 */
export async function sendTaxId(deps: FinancialDeps, caller: Caller, cpfCnpj: string) {
  const activate = async (tx: Tx) => {
    const now = deps.clock.now();
    const book = await findBook(tx, caller.accountId);
    const before = await lockFinancial(tx, caller.accountId, book, now);
    if (before.status !== 'PENDING') {
      refuseOtherTaxId(before, cpfCnpj);
      return await present(tx, before);
    }
    const customer = await customerOf(tx, { ...before, cpfCnpj });
    const { customerId } = await deps.gateways.of(book).ensureCustomer(customer).catch(rethrow);
    const after: FinancialAccount = { ...before, cpfCnpj, customerId, status: 'ACTIVE' };
    await saveFinancial(tx, after, now);
    await recordChangeBy(tx, caller, {
      at: now,
      action: 'financial.activate',
      target: auditTarget(caller),
      after: { cpfCnpj, status: 'ACTIVE' },
    });
    return await present(tx, after);
  };
  return await inAccount(deps.db, caller.accountId, activate, { runsOnce: true });
}

function refuseOtherTaxId(financial: FinancialAccount, cpfCnpj: string): void {
  if (financial.cpfCnpj === cpfCnpj) return;
  throw new Refusal('TAX_ID_LOCKED', 'The tax id can no longer be changed. Contact support.');
}

export interface ContactChange {
  phone?: string | null | undefined;
  mobilePhone?: string | null | undefined;
  additionalEmails?: string | null | undefined;
}

/**
 * Updates contact data; a job sends it to the gateway. A final tax id cannot be changed: sending a different one is
 * refused rather than ignored.
 */
export async function updateContact(
  deps: FinancialDeps,
  caller: Caller,
  { cpfCnpj, ...change }: ContactChange & { cpfCnpj?: string | undefined },
) {
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const now = deps.clock.now();
    const before = await lockFinancial(tx, caller.accountId, await findBook(tx, caller.accountId), now);
    if (cpfCnpj !== undefined && before.status !== 'PENDING') refuseOtherTaxId(before, cpfCnpj);
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const after: FinancialAccount = { ...before, ...given };
    await saveFinancial(tx, after, now);
    await recordChangeBy(tx, caller, {
      at: now,
      action: 'financial.update',
      target: auditTarget(caller),
      before: contactOf(before),
      after: contactOf(after),
    });
    if (after.status === 'ACTIVE') {
      await deps.jobs.enqueue(tx, syncCustomerQueue.name, { accountId: caller.accountId, book: after.book });
    }
    return await present(tx, after);
  });
}

/** Sends the customer's current contact data to the gateway. */
export async function syncCustomer(
  deps: ChargeDeps,
  accountId: number,
  book: FinancialAccount['book'],
): Promise<void> {
  const existing = await inAccount(deps.db, accountId, async (tx) => {
    const financial = await findFinancial(tx, accountId, book);
    return financial?.customerId
      ? { customerId: financial.customerId, customer: await customerOf(tx, financial) }
      : undefined;
  });
  if (existing) await deps.gateways.of(book).updateCustomer(existing.customerId, existing.customer);
}

async function customerOf(tx: Tx, financial: FinancialAccount): Promise<GatewayCustomer> {
  const payer = await findPayer(tx, financial.accountId);
  return {
    reference: payer.uuid,
    name: payer.name,
    cpfCnpj: financial.cpfCnpj ?? '',
    email: payer.email,
    phone: financial.phone ?? payer.phone,
    mobilePhone: financial.mobilePhone,
    additionalEmails: financial.additionalEmails,
  };
}

const contactOf = ({ phone, mobilePhone, additionalEmails }: FinancialAccount) => ({
  phone,
  mobilePhone,
  additionalEmails,
});

const auditTarget = ({ accountId }: Caller) => ({ type: 'financial account', id: String(accountId) });

function rethrow(error: unknown): never {
  throw gatewayRefusal(error);
}

async function present(tx: Tx, financial: FinancialAccount) {
  const payer = await findPayer(tx, financial.accountId);
  return {
    status: financial.status,
    company: payer.name,
    name: payer.name,
    email: payer.email,
    phone: financial.phone ?? payer.phone,
    mobilePhone: financial.mobilePhone,
    personType: financial.cpfCnpj === null ? null : personType(financial.cpfCnpj),
    cpfCnpj: financial.cpfCnpj,
    address: null,
    addressNumber: null,
    addressComplement: null,
    addressProvince: null,
    addressDistrict: null,
    addressCity: null,
    addressState: null,
    addressCountry: null,
    addressZipCode: null,
    additionalEmails: financial.additionalEmails,
  };
}
