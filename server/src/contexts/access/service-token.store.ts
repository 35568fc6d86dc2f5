import type { Tx } from '../../platform/db/database.ts';

/** Service tokens that have not expired, with the e-mail of the user who created them. */
export const selectServiceTokens = (tx: Tx, accountId: number, at: Date) =>
  tx
    .selectFrom('access_tokens')
    .select([
      'prefix',
      'name',
      'ttl_seconds',
      'created_at',
      'last_used_at',
      'expires_at',
      'scopes',
      'allowed_addresses',
      'service_uuid',
    ])
    .select((token) =>
      token
        .selectFrom('users')
        .select('users.email')
        .whereRef('users.id', '=', 'access_tokens.created_by')
        .as('creator_email'),
    )
    .where('account_id', '=', accountId)
    .where('user_id', 'is', null)
    .where('expires_at', '>', at);

export async function hasServiceToken(tx: Tx, accountId: number, hash: Buffer): Promise<boolean> {
  const row = await tx
    .selectFrom('access_tokens')
    .select('prefix')
    .where('account_id', '=', accountId)
    .where('hash', '=', hash)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteServiceToken(
  tx: Tx,
  accountId: number,
  prefix: string,
  at: Date,
): Promise<boolean> {
  const row = await tx
    .deleteFrom('access_tokens')
    .where('account_id', '=', accountId)
    .where('user_id', 'is', null)
    .where('prefix', '=', prefix)
    .where('expires_at', '>', at)
    .returning('prefix')
    .executeTakeFirst();
  return row !== undefined;
}
