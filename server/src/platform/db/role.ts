import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Refuses to start with a role that bypasses row-level security, owns the tables, or is a member of such a role and can
 * therefore become it.
 */
export const assertRestrictedRole = (db: Database): Promise<void> =>
  assertRestricted(db, 'DATABASE_URL', 'disca_service');

/** Refuses to run operator commands with such a role, or with one that has not the rights of operator commands. */
export async function assertOperatorRole(db: Database): Promise<void> {
  await assertRestricted(db, 'DATABASE_OPERATOR_URL', 'disca_operator');
  const { role, isMember } = await findMembership(db, 'disca_operator');
  if (!isMember)
    throw new Error(
      `${role} is not a member of disca_operator. Run disca migrate with this DATABASE_OPERATOR_URL.`,
    );
}

/** Returns the connected role, and whether it has the rights of a group. */
export async function findMembership(
  db: Database,
  group: string,
): Promise<{ role: string; isMember: boolean }> {
  const { rows } = await sql<{ role: string; isMember: boolean }>`
    select current_user as role,
           coalesce((select pg_has_role(current_user, oid, 'usage') from pg_roles where rolname = ${group}),
                    false) as "isMember"`.execute(db.kysely);
  return rows[0] ?? { role: '', isMember: false };
}

async function assertRestricted(db: Database, setting: string, group: string): Promise<void> {
  const { rows } = await sql`
    select from pg_roles r
     where pg_has_role(current_user, r.oid, 'member')
       and (r.rolsuper or r.rolbypassrls or exists (
         select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relowner = r.oid))`.execute(
    db.kysely,
  );
  if (rows.length > 0) {
    throw new Error(
      `${setting} names a role that bypasses row-level security. Use a login role that is only a member of ${group}.`,
    );
  }
}
