import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { isUuid } from '../../../platform/ids.ts';
import { mayListen } from '../../../platform/visibility.ts';
import { presentEvent, webhookMessageId } from '../../events/index.ts';
import type { RecordingUrlDeps } from '../../recordings/index.ts';
import { ownedIntegration } from '../owned-integration.ts';
import { findAttempts, findDeliveryEvent, selectDeliveries } from './delivery-list.store.ts';
import { presentAttempt, presentDelivery } from './list-deliveries.ts';

export interface ReadDeliveryDeps extends RecordingUrlDeps {
  db: Database;
}

const maxAttempts = 100;

/** Signatures are redacted, so that a logged response cannot be replayed. */
export const redactedHeaders = (messageId: string) => ({
  'content-type': 'application/json',
  'webhook-id': messageId,
  'webhook-timestamp': 'the time of the attempt, in seconds',
  'webhook-signature': 'v1,[redacted]',
});

/** Reads one delivery with all attempts, and its request as it would be sent now. */
export async function readDelivery(
  deps: ReadDeliveryDeps,
  caller: Caller,
  integrationId: string,
  deliveryId: string,
) {
  const { accountId } = caller;
  return await inAccount(deps.db, accountId, async (tx) => {
    const integration = await ownedIntegration(tx, caller, integrationId);
    if (!isUuid(deliveryId)) throw notFound();
    const row = await selectDeliveries(tx, accountId, integration.id)
      .where('id', '=', deliveryId)
      .executeTakeFirst();
    if (!row) throw notFound();
    const attempts = (await findAttempts(tx, accountId, [row.id], maxAttempts)).get(row.id) ?? [];
    const event = await findDeliveryEvent(tx, accountId, row.id);
    // A USER's integration receives own calls only.
    const listener = mayListen({ ...caller, scopes: null }, true) ? caller.uuid : undefined;
    const shown = attempts.map((attempt) => ({
      ...presentAttempt(attempt),
      detail: attempt.detail,
      address: attempt.address,
      responseBody: attempt.responseBody,
    }));
    return {
      ...presentDelivery(row, shown),
      request: event
        ? {
            url: integration.settings.url,
            headers: redactedHeaders(webhookMessageId(row.event_id)),
            body: presentEvent(deps, event, { ...event, version: integration.settings.version }, listener),
          }
        : null,
    };
  });
}
