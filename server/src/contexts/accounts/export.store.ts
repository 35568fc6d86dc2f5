import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/** All tables with rows of accounts, except tokens, counters, derived data and queues. */
export const exportedTables = [
  'users',
  'known_addresses',
  'second_factors',
  'former_emails',
  'invitations',
  'single_sign_on',
  'sso_domains',
  'sso_identities',
  'extensions',
  'extension_presence',
  'caller_ids',
  'account_caps',
  'account_budgets',
  'budget_days',
  'abuse_signals',
  'phone_networks',
  'calls',
  'call_notes',
  'call_dispositions',
  'contacts',
  'recording_use',
  'recordings',
  'recording_accesses',
  'audit_entries',
  'requests',
  'events',
  'ledger_balances',
  'ledger_transactions',
  'call_holds',
  'financial_accounts',
  'charges',
  'integrations',
  'deliveries',
  'delivery_attempts',
] as const;

const secretColumns = new Set([
  'password_hash',
  'code_sealed',
  'senha_sealed',
  'ha1',
  'ha1_sealed',
  'secret_sealed',
  'previous_secret_sealed',
]);
const batch = 500;

/** Views with the current rows of tables: events without a number yet, and the state of running calls. */
const views: Partial<Record<(typeof exportedTables)[number], string>> = {
  calls: 'call_records',
  events: 'recorded_events',
};

/** Yields the rows of a table in batches of a few hundred, without secrets. */
export async function* readTable(
  tx: Tx,
  table: (typeof exportedTables)[number],
  accountId: number,
): AsyncGenerator<object> {
  const query = sql`select * from ${sql.table(views[table] ?? table)} where account_id = ${sql.lit(accountId)}`;
  await sql`declare exported no scroll cursor for ${query}`.execute(tx);
  for (let found = batch; found === batch; ) {
    const { rows } = await sql<Record<string, unknown>>`fetch ${sql.lit(batch)} from exported`.execute(tx);
    found = rows.length;
    for (const row of rows) yield withoutSecrets(row);
  }
  await sql`close exported`.execute(tx);
}

const withoutSecrets = (row: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => !secretColumns.has(column))
      .map(([column, value]) => [column, Buffer.isBuffer(value) ? value.toString('hex') : value]),
  );

/** Disables the transaction's idle timeout, because the client of an export may read slowly. */
export async function allowPauses(tx: Tx): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
}
