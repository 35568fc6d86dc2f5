import type { Tx } from '../../../platform/db/database.ts';
import type { EventType } from '../../../platform/event-types.ts';
import type { Integration } from '../../integrations/index.ts';
import type { SendResult } from '../ports.ts';

interface SentTest {
  id: string;
  eventId: string;
  type: EventType;
  at: Date;
  result: SendResult;
}

/** Inserts a test as a delivery with one attempt, unless its integration was removed meanwhile. */
export async function insertTest(
  tx: Tx,
  { accountId, id: integrationId }: Integration,
  { id, eventId, type, at, result }: SentTest,
): Promise<void> {
  const integration = await tx
    .selectFrom('integrations')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', integrationId)
    .forKeyShare()
    .executeTakeFirst();
  if (!integration) return;
  const { outcome, status, detail, address, responseBody, durationMs } = result;
  await tx
    .insertInto('deliveries')
    .values({
      id,
      account_id: accountId,
      integration_id: integrationId,
      event_id: eventId,
      type,
      state: outcome === 'delivered' ? 'delivered' : 'failed',
      attempts: 1,
      round_attempts: 1,
      last_outcome: outcome,
      created_at: at,
      ended_at: at,
      is_test: true,
    })
    .execute();
  await tx
    .insertInto('delivery_attempts')
    .values({
      delivery_id: id,
      number: 1,
      account_id: accountId,
      at,
      duration_ms: durationMs,
      outcome,
      status,
      detail,
      address,
      response_body: responseBody,
    })
    .execute();
}
