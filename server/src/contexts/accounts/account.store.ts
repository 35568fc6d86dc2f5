import { type Selectable, sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';
import type { Accounts } from '../../platform/db/schema.ts';
import { violatedConstraint } from '../../platform/db/unavailable.ts';
import { type Fault, invalid } from '../../platform/errors.ts';
import type { Account } from './account.ts';

const columns = [
  'id',
  'uuid',
  'domain',
  'name',
  'email',
  'phone',
  'mode',
  'timezone',
  'balance_low_threshold_micros',
  'request_handling',
  'encrypted_phones_only',
  'media_from_any_address',
  'users_see',
  'second_factor_required',
  'live_requested_at',
  'awaits_approval_since',
  'created_at',
  'updated_at',
] as const;

const fromRow = (row: Pick<Selectable<Accounts>, (typeof columns)[number]>): Account => ({
  id: row.id,
  uuid: row.uuid,
  domain: row.domain,
  name: row.name,
  email: row.email,
  phone: row.phone,
  mode: row.mode as Account['mode'],
  timezone: row.timezone,
  balanceLowThresholdMicros: row.balance_low_threshold_micros,
  requestHandling: row.request_handling as Account['requestHandling'],
  encryptedPhonesOnly: row.encrypted_phones_only,
  mediaFromAnyAddress: row.media_from_any_address,
  usersSee: row.users_see as Account['usersSee'],
  secondFactorRequired: row.second_factor_required,
  liveRequestedAt: row.live_requested_at,
  awaitsApproval: row.awaits_approval_since !== null,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const duplicateDomain: Fault = {
  path: 'domain',
  code: 'duplicate',
  message: '`domain` is already in use.',
};

/** Reserves the id before the row is inserted, because row-level security needs it. */
export async function nextAccountId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval('accounts_id_seq') as id`.execute(tx);
  return rows[0]?.id ?? 0;
}

export async function domainExists(tx: Tx, domain: string): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select domain_exists(${domain}) as exists`.execute(tx);
  return rows[0]?.exists ?? false;
}

interface NewAccount {
  id: number;
  uuid: string;
  domain: string;
  name: string;
  email: string;
  phone: string;
  crm: string;
  userQuantity: string;
  awaitsApproval: boolean;
  at: Date;
}

/** Inserts an account in test mode, whose address is not proved. */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<void> {
  const { userQuantity, awaitsApproval, at, ...rest } = account;
  try {
    await tx
      .insertInto('accounts')
      .values({
        ...rest,
        user_quantity: userQuantity,
        mode: 'test',
        address_proved: false,
        awaits_approval_since: awaitsApproval ? at : null,
        created_at: at,
        updated_at: at,
      })
      .execute();
  } catch (error) {
    throw violatedConstraint(error) === 'accounts_domain_key' ? invalid(duplicateDomain) : error;
  }
}

export async function findAccount(tx: Tx, id: number): Promise<Account> {
  return fromRow(
    await tx.selectFrom('accounts').select(columns).where('id', '=', id).executeTakeFirstOrThrow(),
  );
}

/** Locks the account without blocking inserts of rows that reference it. */
export async function lockAccount(tx: Tx, id: number): Promise<Account> {
  return fromRow(
    await tx
      .selectFrom('accounts')
      .select(columns)
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(),
  );
}

export async function saveAccount(tx: Tx, account: Account): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({
      name: account.name,
      email: account.email,
      phone: account.phone,
      timezone: account.timezone,
      balance_low_threshold_micros: account.balanceLowThresholdMicros,
      request_handling: account.requestHandling,
      encrypted_phones_only: account.encryptedPhonesOnly,
      media_from_any_address: account.mediaFromAnyAddress,
      users_see: account.usersSee,
      second_factor_required: account.secondFactorRequired,
      live_requested_at: account.liveRequestedAt,
      updated_at: account.updatedAt,
    })
    .where('id', '=', account.id)
    .execute();
}

/** Activates a pending account. Returns true to only one of several concurrent confirmations. */
export async function activateAccount(tx: Tx, id: number, at: Date): Promise<boolean> {
  const result = await tx
    .updateTable('accounts')
    .set({ status: 'active', updated_at: at })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Returns the uuid of the account, or undefined if its address was proved before. An account that awaits approval stays
 * in test mode.
 */
export async function markProved(
  tx: Tx,
  id: number,
  mode: Account['mode'],
  at: Date,
): Promise<string | undefined> {
  const row = await tx
    .updateTable('accounts')
    .set({
      address_proved: true,
      mode: sql<string>`case when awaits_approval_since is null then ${mode} else mode end`,
      updated_at: at,
    })
    .where('id', '=', id)
    .where('address_proved', '=', false)
    .returning('uuid')
    .executeTakeFirst();
  return row?.uuid;
}

export async function isAddressProved(tx: Tx, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('accounts')
    .select('address_proved')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.address_proved ?? false;
}

/** Returns the number of deleted accounts. */
export async function sweepUnconfirmedAccounts(
  db: Database,
  createdBefore: Date,
  limit: number,
): Promise<number> {
  const query = sql<{ removed: number }>`
    select sweep_unconfirmed_accounts(${createdBefore}, ${limit}) as removed`;
  const [row] = await queryRows(db, query);
  return row?.removed ?? 0;
}
