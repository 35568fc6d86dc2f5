import type { Caller } from '../../platform/caller.ts';
import { inAccount } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { recordChangeBy } from '../audit/index.ts';
import { deleteIntegration, lockIntegration } from './integration.store.ts';
import { auditView, type IntegrationDeps } from './integration.ts';

/** Removes an integration and its deliveries, so that nothing more is sent. */
export async function removeIntegration(deps: IntegrationDeps, caller: Caller, id: number): Promise<void> {
  await inAccount(deps.db, caller.accountId, async (tx) => {
    const integration = await lockIntegration(tx, caller, id);
    if (!integration) throw notFound();
    await deleteIntegration(tx, caller, id);
    await recordChangeBy(tx, caller, {
      at: deps.clock.now(),
      action: 'integration.remove',
      target: { type: 'integration', id: String(id) },
      before: auditView(integration),
    });
  });
}
