import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { integrationsOf } from '../../integrations/index.ts';
import { healthOf } from './health.rules.ts';
import { findRecentDeliveries } from './health.store.ts';

/** Reads the health of the caller's integrations, newest first. */
export async function readHealth(deps: { db: Database }, caller: Caller) {
  const { accountId } = caller;
  return await inAccount(deps.db, accountId, async (tx) => {
    const integrations = await integrationsOf(tx, caller);
    const ids = integrations.map(({ id }) => id);
    const deliveries = await findRecentDeliveries(tx, accountId, ids);
    const recent = new Map(deliveries.map((each) => [each.integrationId, each]));
    return integrations.map((integration) => {
      const seen = recent.get(integration.id);
      return {
        integrationId: integration.id,
        gateway: integration.gateway,
        host: integration.settings.url === null ? null : new URL(integration.settings.url).host,
        state: healthOf(integration, seen !== undefined),
        disabledAt: integration.disabledAt?.toISOString() ?? null,
        disabledReason: integration.disabledReason,
        failingSince: integration.failingSince?.toISOString() ?? null,
        lastDeliveredAt: seen?.lastDeliveredAt?.toISOString() ?? null,
        lastFailedAt: seen?.lastFailedAt?.toISOString() ?? null,
        lastFailure: seen?.lastFailure ?? null,
        lastFailureStatus: seen?.lastFailureStatus ?? null,
        recent: { delivered: seen?.delivered ?? 0, pending: seen?.pending ?? 0, failed: seen?.failed ?? 0 },
      };
    });
  });
}
