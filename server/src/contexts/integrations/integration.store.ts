import { type InferResult, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { violatedConstraint } from '../../platform/db/unavailable.ts';
import { type Fault, invalid } from '../../platform/errors.ts';
import type { Integration } from './integration.ts';
import { flatConstraint } from './webhook.rules.ts';

export interface Owner {
  accountId: number;
  userId: number;
}

export const selectIntegrations = (tx: Tx, { accountId, userId }: Owner) =>
  tx.selectFrom('integrations').selectAll().where('account_id', '=', accountId).where('user_id', '=', userId);

type Row = InferResult<ReturnType<typeof selectIntegrations>>[number];

export const integrationFromRow = (row: Row): Integration => ({
  id: row.id,
  accountId: row.account_id,
  userId: row.user_id,
  gateway: row.gateway,
  webhook: row.webhook,
  webhookConstraint: row.webhook_constraint as Record<string, unknown>,
  metadata: row.metadata as Record<string, unknown>,
  settings: { url: row.webhook_url, version: row.webhook_version, types: row.webhook_types },
  secretSealed: row.secret_sealed,
  previousSecretSealed: row.previous_secret_sealed,
  previousSecretUntil: row.previous_secret_until,
  disabledAt: row.disabled_at,
  disabledReason: row.disabled_reason,
  failingSince: row.failing_since,
  provenAt: row.proven_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Locks the user, so that changes to their integrations are serialized. Undefined if the user no longer exists. */
export async function lockOwner(
  tx: Tx,
  { accountId, userId }: Owner,
): Promise<{ isLive: boolean } | undefined> {
  const row = await tx
    .selectFrom('users as u')
    .innerJoin('account_info as a', 'a.id', 'u.account_id')
    .select('a.mode')
    .where('u.account_id', '=', accountId)
    .where('u.id', '=', userId)
    .forNoKeyUpdate('u')
    .executeTakeFirst();
  return row && { isLive: row.mode === 'live' };
}

export async function findIntegration(tx: Tx, owner: Owner, id: number): Promise<Integration | undefined> {
  const row = await selectIntegrations(tx, owner).where('id', '=', id).executeTakeFirst();
  return row && integrationFromRow(row);
}

/** Returns a user's integrations, newest first; at most 100. */
export async function integrationsOf(tx: Tx, owner: Owner): Promise<Integration[]> {
  return (await selectIntegrations(tx, owner).orderBy('id', 'desc').execute()).map(integrationFromRow);
}

/** Locks the row, because deliveries write to it as well. */
export async function lockIntegration(tx: Tx, owner: Owner, id: number): Promise<Integration | undefined> {
  const row = await selectIntegrations(tx, owner).where('id', '=', id).forUpdate().executeTakeFirst();
  return row && integrationFromRow(row);
}

export async function lockByGateway(tx: Tx, owner: Owner, gateway: string): Promise<Integration | undefined> {
  const row = await selectIntegrations(tx, owner)
    .where('gateway', '=', gateway)
    .forUpdate()
    .executeTakeFirst();
  return row && integrationFromRow(row);
}

export async function countIntegrations(tx: Tx, { accountId, userId }: Owner): Promise<number> {
  const { count } = await tx
    .selectFrom('integrations')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function countIntegrationsOfAccount(tx: Tx, accountId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('integrations')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function hasWebhook(tx: Tx, accountId: number): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (select from integrations where account_id = ${accountId} and webhook) as exists`.execute(
    tx,
  );
  return rows[0]?.exists ?? false;
}

const written = (integration: Omit<Integration, 'id'>) => ({
  gateway: integration.gateway,
  webhook: integration.webhook,
  webhook_constraint: JSON.stringify(integration.webhookConstraint),
  constraint_metadata: JSON.stringify(flatConstraint(integration.webhookConstraint)),
  metadata: JSON.stringify(integration.metadata),
  webhook_url: integration.settings.url,
  webhook_host: integration.settings.url && new URL(integration.settings.url).hostname,
  webhook_version: integration.settings.version,
  webhook_types: integration.settings.types,
  secret_sealed: integration.secretSealed,
  previous_secret_sealed: integration.previousSecretSealed,
  previous_secret_until: integration.previousSecretUntil,
  disabled_at: integration.disabledAt,
  disabled_reason: integration.disabledReason,
  failing_since: integration.failingSince,
  updated_at: integration.updatedAt,
});

export async function insertIntegration(tx: Tx, integration: Omit<Integration, 'id'>): Promise<Integration> {
  const { id } = await tx
    .insertInto('integrations')
    .values({
      ...written(integration),
      account_id: integration.accountId,
      user_id: integration.userId,
      created_at: integration.createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...integration, id };
}

export async function saveIntegration(tx: Tx, integration: Integration): Promise<void> {
  try {
    await tx
      .updateTable('integrations')
      .set({ ...written(integration), proven_at: integration.provenAt })
      .where('account_id', '=', integration.accountId)
      .where('id', '=', integration.id)
      .execute();
  } catch (error) {
    if (violatedConstraint(error) !== 'integrations_user_id_gateway_key') throw error;
    throw invalid(duplicateGateway);
  }
}

/** Records that an endpoint accepted a request, unless its URL was changed meanwhile. */
export async function markProven(tx: Tx, { accountId, id, settings }: Integration, at: Date): Promise<void> {
  await tx
    .updateTable('integrations')
    .set({ proven_at: at })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('webhook_url', '=', settings.url)
    .where('proven_at', 'is', null)
    .execute();
}

export const duplicateGateway: Fault = {
  path: 'gateway',
  code: 'duplicate',
  message: '`gateway` is already used by another of your integrations.',
};

/** Returns whether another integration of the owner has this gateway. */
export async function isGatewayTaken(
  tx: Tx,
  owner: Owner,
  gateway: string,
  except: number,
): Promise<boolean> {
  const others = selectIntegrations(tx, owner).where('gateway', '=', gateway).where('id', '!=', except);
  return (await others.executeTakeFirst()) !== undefined;
}

export async function deleteIntegration(tx: Tx, { accountId }: Owner, id: number): Promise<void> {
  await tx.deleteFrom('integrations').where('account_id', '=', accountId).where('id', '=', id).execute();
}

/**
 * Disables the integration, unless it is already disabled, no longer exists, or was changed after
 * `unlessChangedSince`.
 */
export async function markDisabled(
  tx: Tx,
  accountId: number,
  id: number,
  { reason, at, unlessChangedSince }: { reason: string; at: Date; unlessChangedSince: Date },
): Promise<Integration | undefined> {
  const row = await tx
    .updateTable('integrations')
    .set({ disabled_at: at, disabled_reason: reason, updated_at: at })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('webhook', '=', true)
    .where('disabled_at', 'is', null)
    .where('updated_at', '<=', unlessChangedSince)
    .returningAll()
    .executeTakeFirst();
  return row && integrationFromRow(row);
}
