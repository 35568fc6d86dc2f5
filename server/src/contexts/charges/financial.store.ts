import type { Selectable } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { FinancialAccounts } from '../../platform/db/schema.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Book } from '../billing/index.ts';
import type { GatewayName } from './gateway.ts';

export interface FinancialAccount {
  accountId: number;
  book: Book;
  status: 'PENDING' | 'ACTIVE' | 'BLOCKED';
  cpfCnpj: string | null;
  phone: string | null;
  mobilePhone: string | null;
  additionalEmails: string | null;
  customerId: string | null;
}

const fromRow = (row: Selectable<FinancialAccounts>): FinancialAccount => ({
  accountId: row.account_id,
  book: row.book as Book,
  status: row.status as FinancialAccount['status'],
  cpfCnpj: row.cpf_cnpj,
  phone: row.phone,
  mobilePhone: row.mobile_phone,
  additionalEmails: row.additional_emails,
  customerId: row.customer_id,
});

export async function findFinancial(
  tx: Tx,
  accountId: number,
  book: Book,
): Promise<FinancialAccount | undefined> {
  const row = await ofAccount(tx, accountId, book).executeTakeFirst();
  return row && fromRow(row);
}

/** Locks the financial account, creating an empty one if there is none. */
export async function lockFinancial(
  tx: Tx,
  accountId: number,
  book: Book,
  at: Date,
): Promise<FinancialAccount> {
  await tx
    .insertInto('financial_accounts')
    .values({ account_id: accountId, book, status: 'PENDING', created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.columns(['account_id', 'book']).doNothing())
    .execute();
  return fromRow(await ofAccount(tx, accountId, book).forUpdate().executeTakeFirstOrThrow());
}

const ofAccount = (tx: Tx, accountId: number, book: Book) =>
  tx
    .selectFrom('financial_accounts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('book', '=', book);

export async function saveFinancial(tx: Tx, financial: FinancialAccount, at: Date): Promise<void> {
  await tx
    .updateTable('financial_accounts')
    .set({
      status: financial.status,
      cpf_cnpj: financial.cpfCnpj,
      phone: financial.phone,
      mobile_phone: financial.mobilePhone,
      additional_emails: financial.additionalEmails,
      customer_id: financial.customerId,
      updated_at: at,
    })
    .where('account_id', '=', financial.accountId)
    .where('book', '=', financial.book)
    .execute();
}

/** Returns the gateway customer of an account. The real gateway needs one; the sandbox does not. */
export async function findCustomer(
  tx: Tx,
  accountId: number,
  book: Book,
  gateway: GatewayName,
): Promise<string | undefined> {
  const financial = await findFinancial(tx, accountId, book);
  if (financial?.status === 'ACTIVE' && financial.customerId) return financial.customerId;
  if (gateway === 'sandbox') return undefined;
  throw new Refusal(
    'FINANCIAL_ACCOUNT_INACTIVE',
    'Send the tax id of the account first, with POST /accounts/financial.',
  );
}

export async function findPayer(
  tx: Tx,
  accountId: number,
): Promise<{ uuid: string; name: string; email: string; phone: string }> {
  return await tx
    .selectFrom('account_info')
    .select(['uuid', 'name', 'email', 'phone'])
    .where('id', '=', accountId)
    .$narrowType<{ uuid: string; name: string; email: string; phone: string }>()
    .executeTakeFirstOrThrow();
}
