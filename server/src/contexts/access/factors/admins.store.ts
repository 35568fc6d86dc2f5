import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

export interface AdminFactor {
  uuid: string;
  name: string;
  email: string;
  hasFactor: boolean;
  lastApiLoginAt: Date | null;
}

const hasFactor =
  sql<boolean>`exists (select from second_factors f where f.account_id = users.account_id and f.user_id = users.id)`.as(
    'has_factor',
  );

/** Returns the ADMINs of an account, by name. */
export async function listAdminFactors(tx: Tx, accountId: number): Promise<AdminFactor[]> {
  const rows = await tx
    .selectFrom('users')
    .select(['uuid', 'name', 'email', 'last_api_login_at'])
    .select(hasFactor)
    .where('account_id', '=', accountId)
    .where('role', '=', 'ADMIN')
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    uuid: row.uuid,
    name: row.name,
    email: row.email,
    hasFactor: row.has_factor,
    lastApiLoginAt: row.last_api_login_at,
  }));
}

/** Returns whether a user needs a second factor and has one, and the user's last login to the API. */
export async function findDemand(
  tx: Tx,
  accountId: number,
  userId: number,
): Promise<{ isRequired: boolean; hasFactor: boolean; lastApiLoginAt: Date | null } | undefined> {
  const row = await tx
    .selectFrom('users')
    .innerJoin('account_info', 'account_info.id', 'users.account_id')
    .select(['users.role', 'users.last_api_login_at', 'account_info.second_factor_required'])
    .select(hasFactor)
    .where('users.account_id', '=', accountId)
    .where('users.id', '=', userId)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    isRequired: row.role === 'ADMIN' && row.second_factor_required === true,
    hasFactor: row.has_factor,
    lastApiLoginAt: row.last_api_login_at,
  };
}

export async function isRequiredOfAdmins(tx: Tx, accountId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('account_info')
    .select('second_factor_required')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.second_factor_required ?? false;
}
