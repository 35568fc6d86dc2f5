import { randomUUID } from 'node:crypto';
import { uuidv7 } from '../../src/platform/ids.ts';
import type { Client } from './client.ts';

type Query = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

export interface MadeDelivery {
  integrationId: string;
  deliveryId: string;
}

/** An address that is never called: SSRF protection rejects it before connecting. */
const nowhere = 'https://127.0.0.1:65535/';

/** Creates an integration with a webhook and an event that waits for its retry. */
export async function addDelivery(query: Query, client: Client): Promise<MadeDelivery> {
  const { body } = await client.patch('/integrations', {
    gateway: randomUUID(),
    webhook: true,
    metadata: { webhookUrl: 'https://hooks.example.com/', webhookTypes: ['balance-low'] },
  });
  const at = new Date();
  const deliveryId = uuidv7(at);
  await query(
    `with own as (
       update integrations set webhook_url = $2, metadata = jsonb_set(metadata, '{webhookUrl}', to_jsonb($2::text))
        where id = $1 returning id, account_id
     ), event as (
       insert into events (id, account_id, type, subject_id, data, occurred_at, account_sequence)
       select $3, account_id, 'balance-low', account_id::text, '{"available": 9.5}', $4,
              (select coalesce(max(e.account_sequence), 0) + 1 from events e where e.account_id = own.account_id)
         from own returning id
     )
     insert into deliveries (id, account_id, integration_id, event_id, type, state, attempts, created_at, next_attempt_at)
     select $5, own.account_id, own.id, event.id, 'balance-low', 'pending', 1, $4, $4::timestamptz + interval '1 hour'
       from own, event`,
    [body.id, nowhere, uuidv7(at), at, deliveryId],
  );
  return { integrationId: String(body.id), deliveryId };
}
