import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { defineList, fetchArray, parseFilter, pickFields } from '../../platform/filter/index.ts';
import type { ArrayQuery } from '../../platform/list-schemas.ts';
import { integrationFromRow, selectIntegrations } from './integration.store.ts';
import type { Integration } from './integration.ts';

const integrations = defineList({
  name: 'integrations',
  fields: {
    id: { type: 'integer', sortable: true },
    gateway: { type: 'text', sortable: true },
    webhook: { type: 'boolean', sortable: true },
    webhookConstraint: { type: 'json', column: 'webhook_constraint' },
    metadata: { type: 'json' },
    webhookDisabledAt: { type: 'timestamp', column: 'disabled_at', sortable: true, nullable: true },
    webhookDisabledReason: { type: 'text', column: 'disabled_reason', nullable: true },
  },
  defaultOrder: ['id DESC'],
  tieBreaker: 'id',
  maxLimit: 1000,
});

/** Lists the caller's integrations; those of others are not visible to any role. */
export async function listIntegrations<Shown extends object>(
  deps: { db: Database },
  caller: Caller,
  { filter, limit, offset }: ArrayQuery,
  present: (integration: Integration) => Shown,
): Promise<{ items: Partial<Shown>[]; total: number; isEstimated: boolean }> {
  const asked = parseFilter(integrations, filter, { limit, offset });
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const query = await asked.forAccount(tx, caller.accountId);
    const { rows, ...count } = await fetchArray(tx, integrations, selectIntegrations(tx, caller), query);
    return { items: rows.map((row) => pickFields(query, present(integrationFromRow(row)))), ...count };
  });
}
