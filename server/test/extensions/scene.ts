import type { Platform } from '../harness/platform.ts';

let bodies = 0;

/** A valid body of POST /extensions, with a number of its own. */
export function extensionBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  bodies += 1;
  return {
    ramal: String(200_000 + bodies),
    senha: `segredo-${bodies}-x`,
    first_name: 'Ana',
    last_name: 'Souza',
    email_address: `ramal${bodies}@empresa.test`,
    gravar_audio: 0,
    ...changes,
  };
}

export function nextBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const { ramal: _, ...body } = extensionBody(changes);
  return body;
}

/** Lets a softphone seem registered, where SIP is not what is tested. */
export async function seemRegistered(platform: Platform, id: number, seconds = 600): Promise<Date> {
  const at = platform.clock.now();
  await platform.database.query(
    `insert into extension_presence
       (extension_id, account_id, registered_at, expires_at, sip_call_id, contact, transport, user_agent)
     select id, account_id, $2, $3, 'call-id', 'sip:phone@192.0.2.1', 'udp', 'test' from extensions where id = $1
     on conflict (extension_id) do update
       set registered_at = excluded.registered_at, expires_at = excluded.expires_at`,
    [id, at, new Date(at.getTime() + seconds * 1000)],
  );
  return at;
}
