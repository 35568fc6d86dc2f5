import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Row-level security protects nothing from a role that bypasses it, so such a role is refused at start. */
export async function assertRestrictedRole(db: Database): Promise<void> {
  const { rows } = await sql<{ bypasses: boolean; owns: boolean }>`
    select (rolsuper or rolbypassrls) as bypasses,
           exists (select from pg_tables where schemaname = 'public' and tableowner = current_user) as owns
      from pg_roles where rolname = current_user`.execute(db.kysely);
  if (rows[0]?.bypasses || rows[0]?.owns) {
    throw new Error(
      'DATABASE_URL names a role that bypasses row-level security. Use a login role that is only a member of disca_service.',
    );
  }
}
