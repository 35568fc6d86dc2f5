import { type RawBuilder, sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';

export interface Settings {
  issuer: string;
  clientId: string;
  secretSealed: string;
  isRequired: boolean;
  exemptUserId: number | null;
}

export async function findSettings(tx: Tx, accountId: number): Promise<Settings | undefined> {
  return await tx
    .selectFrom('single_sign_on')
    .select([
      'issuer',
      'client_id as clientId',
      'secret_sealed as secretSealed',
      'is_required as isRequired',
      'exempt_user_id as exemptUserId',
    ])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

export async function saveSettings(tx: Tx, accountId: number, settings: Settings, at: Date): Promise<void> {
  const values = {
    issuer: settings.issuer,
    client_id: settings.clientId,
    secret_sealed: settings.secretSealed,
    is_required: settings.isRequired,
    exempt_user_id: settings.exemptUserId,
    updated_at: at,
  };
  await tx
    .insertInto('single_sign_on')
    .values({ ...values, account_id: accountId, created_at: at })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
}

/** Deletes the settings, with domains and identities. Returns false if there are none. */
export async function deleteSettings(tx: Tx, accountId: number): Promise<boolean> {
  await tx.deleteFrom('sso_domains').where('account_id', '=', accountId).execute();
  await deleteIdentities(tx, accountId);
  const { numDeletedRows } = await tx
    .deleteFrom('single_sign_on')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

export interface Domain {
  domain: string;
  token: string;
  provedAt: Date | null;
}

export async function findDomains(tx: Tx, accountId: number): Promise<Domain[]> {
  return await tx
    .selectFrom('sso_domains')
    .select(['domain', 'token', 'proved_at as provedAt'])
    .where('account_id', '=', accountId)
    .orderBy('domain')
    .execute();
}

/** Keeps only these domains, and adds those that are missing. */
export async function replaceDomains(
  tx: Tx,
  accountId: number,
  domains: { domain: string; token: string }[],
): Promise<void> {
  const names = domains.map(({ domain }) => domain);
  await tx
    .deleteFrom('sso_domains')
    .where('account_id', '=', accountId)
    .where('domain', '<>', sql<string>`all(${names}::text[])`)
    .execute();
  if (domains.length === 0) return;
  await tx
    .insertInto('sso_domains')
    .values(domains.map((each) => ({ ...each, account_id: accountId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns false if the domain is proved for another account, and null if no token is that of the account. */
export async function proveDomain(
  tx: Tx,
  accountId: number,
  domain: string,
  tokens: string[],
  at: Date,
): Promise<boolean | null> {
  const { rows } = await sql<{ proved: boolean | null }>`
    select prove_sso_domain(${accountId}, ${domain}, ${tokens}::text[], ${at}) as proved`.execute(tx);
  return rows[0]?.proved ?? null;
}

/** Returns the account that has proved the domain and configured single sign-on. */
export async function findAccountOfDomain(db: Database, domain: string): Promise<number | undefined> {
  const query: RawBuilder<{ id: number | null }> = sql`select sso_account_of_domain(${domain}) as id`;
  const [row] = await queryRows(db, query);
  return row?.id ?? undefined;
}

export async function findUserOfSubject(
  tx: Tx,
  accountId: number,
  issuer: string,
  subject: string,
): Promise<number | undefined> {
  const row = await tx
    .selectFrom('sso_identities')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.user_id;
}

export async function hasIdentity(tx: Tx, accountId: number, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('sso_identities')
    .select('subject')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertIdentity(
  tx: Tx,
  accountId: number,
  userId: number,
  { issuer, subject }: { issuer: string; subject: string },
  at: Date,
): Promise<void> {
  await tx
    .insertInto('sso_identities')
    .values({ account_id: accountId, user_id: userId, issuer, subject, created_at: at, last_login_at: at })
    .execute();
}

export async function noteIdentityUse(tx: Tx, accountId: number, userId: number, at: Date): Promise<void> {
  await tx
    .updateTable('sso_identities')
    .set({ last_login_at: at })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
}

export async function deleteIdentities(tx: Tx, accountId: number): Promise<void> {
  await tx.deleteFrom('sso_identities').where('account_id', '=', accountId).execute();
}
