import type { Client } from '../../harness/client.ts';
import { extensionBody } from '../../harness/fixtures/extensions.ts';

/** A caller ID that every account owns. */
export const ownedNumber = '551130304040';

/** Adds an extension of this user whose softphone counts as registered. */
export async function addPhone(
  admin: Client,
  query: (text: string, values?: unknown[]) => Promise<unknown>,
  email: string,
): Promise<{ id: string; ramal: string }> {
  const { body } = await admin.post('/extensions', extensionBody({ email_address: email }));
  await query(
    `insert into extension_presence
       (extension_id, account_id, registered_at, expires_at, sip_call_id, contact, transport, user_agent)
     select id, account_id, now(), now() + interval '1 day', 'call-id', 'sip:phone@192.0.2.1', 'udp', 'fuzz'
       from extensions where id = $1`,
    [body.id],
  );
  return { id: String(body.id), ramal: String(body.ramal) };
}
