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

/** Creates an integration with a webhook and an event that waits for its retry: of this call, or of the account. */
export async function addDelivery(query: Query, client: Client, callId?: string): Promise<MadeDelivery> {
  const type = callId === undefined ? 'balance-low' : 'channel-hangup';
  const { body } = await client.patch('/integrations', {
    gateway: randomUUID(),
    webhook: true,
    metadata: { webhookUrl: 'https://hooks.example.com/', webhookTypes: [type] },
  });
  const at = new Date();
  const deliveryId = uuidv7(at);
  await query(
    `with own as (
       update integrations set webhook_url = $2, metadata = jsonb_set(metadata, '{webhookUrl}', to_jsonb($2::text))
        where id = $1 returning id, account_id
     ), event as (
       insert into events (id, account_id, type, subject_id, data, occurred_at, account_sequence)
       select $3, account_id, $6, coalesce($7, account_id::text),
              coalesce((select jsonb_build_object('sequence', 1, 'call', to_jsonb(c) - 'timeline') from calls c
                         where c.id = $7::uuid), '{"available": 9.5}'), $4,
              (select coalesce(max(e.account_sequence), 0) + 1 from events e where e.account_id = own.account_id)
         from own returning id
     )
     insert into deliveries (id, account_id, integration_id, event_id, type, state, attempts, created_at, next_attempt_at)
     select $5, own.account_id, own.id, event.id, $6, 'pending', 1, $4, $4::timestamptz + interval '1 hour'
       from own, event`,
    [body.id, nowhere, uuidv7(at), at, deliveryId, type, callId ?? null],
  );
  return { integrationId: String(body.id), deliveryId };
}
