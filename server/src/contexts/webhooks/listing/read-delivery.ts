import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import type { EventType } from '../../../platform/event-types.ts';
import { isUuid } from '../../../platform/ids.ts';
import { callsSeenBy, mayListen } from '../../../platform/visibility.ts';
import { findRecipient, presentEvent, webhookMessageId } from '../../events/index.ts';
import type { RecordingUrlDeps } from '../../recordings/index.ts';
import { ownedIntegration } from '../owned-integration.ts';
import { sampleOf } from '../testing/sample.rules.ts';
import {
  type DeliveredCall,
  findAttempts,
  findCallsOfEvents,
  findDeliveryEvent,
  selectDeliveries,
} from './delivery-list.store.ts';
import {
  type DeliveryRow,
  eventsWithCalls,
  isOfCall,
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

/**
 * Reads one delivery with all attempts, and its request as it would be sent now. Without requests and response bodies,
 * which often repeat them, if the caller does not see the call or the money that the event is about.
 */
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
    const call = (await findCallsOfEvents(tx, caller, eventsWithCalls([row]))).get(row.event_id);
    const isSeen = seesEvent(caller, row, call);
    const event = isSeen ? await findEvent(tx, accountId, row) : undefined;
    // The call of a test counts as own, because the test was sent with a link to its recording.
    const isOwn = call?.is_own ?? row.is_test;
    const listener = mayListen({ ...caller, scopes: null }, isOwn) ? caller.uuid : undefined;
    const shown = attempts.map((attempt) => ({
      ...presentAttempt(attempt),
      detail: attempt.detail,
      address: attempt.address,
      responseBody: isSeen ? attempt.responseBody : null,
    }));
    return {
      ...presentDelivery(row, shown),
      call: presentCall(call),
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

/**
 * Returns whether the caller sees what an event is about. `call` is undefined if the caller does not see the call, or if
 * it was deleted; its events are shown to those who see all calls.
 */
function seesEvent(caller: Caller, { type, is_test }: DeliveryRow, call: DeliveredCall | undefined): boolean {
  if (is_test) return true;
  if (!isOfCall(type)) return caller.permissions.money;
  return call !== undefined || callsSeenBy(caller) === undefined;
}

const findEvent = (tx: Tx, accountId: number, row: DeliveryRow) =>
  row.is_test ? sampleOfTest(tx, accountId, row) : findDeliveryEvent(tx, accountId, row.id);

/** Returns the sample event of a test, which is not in the log, as it was sent. */
async function sampleOfTest(tx: Tx, accountId: number, { type, event_id, created_at }: DeliveryRow) {
  const recipient = await findRecipient(tx, accountId);
  const facts = { domain: recipient.domain, callId: event_id, at: created_at };
  return { ...recipient, ...sampleOf(type as EventType, facts) };
}
