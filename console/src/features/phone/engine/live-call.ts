import { api, apiPath, consoleHeaders, unwrap } from '../../../api/client.ts';
import type { PhoneCall } from '../state.ts';

/** Looks up the id of an active call that no event has reported yet. */
export async function findCall(ramal: string, { number, direction }: PhoneCall): Promise<string | undefined> {
  const ends = direction === 'out' ? { from: ramal, to: number } : { to: ramal };
  const filter = JSON.stringify({ where: { ...ends, status: { neq: 'ended' } }, limit: 1 });
  const calls = await unwrap(api.GET('/calls/search', { params: { query: { filter } } }));
  return calls.data[0]?.id;
}

/** Hangs up through the API, without the SIP connection. */
export async function hangUpByApi(id: string): Promise<void> {
  await unwrap(api.POST('/calls/{id}/hangup', { params: { path: { id } }, body: {} }));
}

/** Hangs up while the page unloads, without waiting for the response. */
export function hangUpOnUnload(id: string): void {
  const headers = { ...consoleHeaders, 'Content-Type': 'application/json' };
  const url = `${apiPath}/calls/${id}/hangup`;
  fetch(url, { method: 'POST', headers, body: '{}', keepalive: true }).catch(() => undefined);
}
