import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import type { EventType } from '../../../platform/event-types.ts';
import { isUuid } from '../../../platform/ids.ts';
import { mayListen } from '../../../platform/visibility.ts';
import { findRecipient, presentEvent, webhookMessageId } from '../../events/index.ts';
import type { RecordingUrlDeps } from '../../recordings/index.ts';
import { ownedIntegration } from '../owned-integration.ts';
import { sampleOf } from '../testing/sample.rules.ts';
import {
  findAttempts,
  findCallsOfEvents,
  findDeliveryEvent,
  selectDeliveries,
} from './delivery-list.store.ts';
import {
  type DeliveryRow,
  eventsWithCalls,
  presentAttempt,
  presentCall,
  presentDelivery,
} from './list-deliveries.ts';

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
    const calls = await findCallsOfEvents(tx, caller, eventsWithCalls([row]));
    const event = row.is_test
      ? await sampleOfTest(tx, accountId, row)
      : await findDeliveryEvent(tx, accountId, row.id);
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
      call: presentCall(calls.get(row.event_id)),
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

/** Returns the sample event of a test, which is not in the log, as it was sent. */
async function sampleOfTest(tx: Tx, accountId: number, { type, event_id, created_at }: DeliveryRow) {
  const recipient = await findRecipient(tx, accountId);
  const facts = { domain: recipient.domain, callId: event_id, at: created_at };
  return { ...recipient, ...sampleOf(type as EventType, facts) };
}
