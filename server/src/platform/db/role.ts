import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Refuses to start with a role that bypasses row-level security, owns the tables, or is a member of such a role and can
 * therefore become it.
 */
export async function assertRestrictedRole(db: Database): Promise<void> {
  const { rows } = await sql`
    select from pg_roles r
     where pg_has_role(current_user, r.oid, 'member')
       and (r.rolsuper or r.rolbypassrls or exists (
         select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relowner = r.oid))`.execute(
    db.kysely,
  );
  if (rows.length > 0) {
    throw new Error(
      'DATABASE_URL names a role that bypasses row-level security. Use a login role that is only a member of disca_service.',
    );
  }
}
