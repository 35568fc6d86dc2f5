import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { isUuid } from '../../../platform/ids.ts';
import { callsSeenBy } from '../../../platform/visibility.ts';
import { flatConstraint, type Integration, integrationsOf } from '../../integrations/index.ts';
import { type ExplainedCall, whyNotSent } from '../explain/explain.rules.ts';
import { findCallDeliveries, findCallFacts } from './call-deliveries.store.ts';
import { findAttempts } from './delivery-list.store.ts';
import { presentAttempt, presentDelivery } from './list-deliveries.ts';

const maxAttempts = 20;

/** Returns, for each integration of the caller, the deliveries of a call and why its events would not be sent now. */
export async function listCallDeliveries(deps: { db: Database }, caller: Caller, callId: string) {
  if (!isUuid(callId)) throw notFound();
  const { accountId } = caller;
  return await inAccount(deps.db, accountId, async (tx) => {
    const integrations = await integrationsOf(tx, caller);
    const constraints = integrations.map(({ webhookConstraint }) => flatConstraint(webhookConstraint));
    const call = await findCallFacts(tx, caller, callId, constraints);
    if (!call || (callsSeenBy(caller) !== undefined && !call.isVisible)) throw notFound();
    const rows = await findCallDeliveries(tx, caller, call);
    const ids = rows.map(({ id }) => id);
    const attempts = await findAttempts(tx, accountId, ids, maxAttempts);
    const byIntegration = Map.groupBy(rows, (row) => row.integration_id);
    return integrations.map((integration, index) => ({
      integrationId: integration.id,
      gateway: integration.gateway,
      reasons: reasonsOf(integration, { ...call, unmet: call.unmet[index] ?? [] }),
      deliveries: (byIntegration.get(integration.id) ?? []).map((row) =>
        presentDelivery(row, (attempts.get(row.id) ?? []).map(presentAttempt)),
      ),
    }));
  });
}

const reasonsOf = (integration: Integration, call: ExplainedCall) =>
  whyNotSent(
    {
      ...integration,
      types: integration.settings.types,
      constraint: flatConstraint(integration.webhookConstraint),
    },
    call,
  );
