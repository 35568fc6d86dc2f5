import { type Answer, api, apiPath, consoleHeaders, unwrap } from '../../../api/client.ts';
import type { PhoneCall } from '../state.ts';

export type CallDetails = Answer<'/calls/{id}', 'get'>;

export const readCall = (id: string): Promise<CallDetails> =>
  unwrap(api.GET('/calls/{id}', { params: { path: { id } } }));

/** Looks up the id of an active call that no event has reported yet. */
export const findActiveCall = (ramal: string, call: PhoneCall): Promise<string | undefined> =>
  findNewest({ ...parties(ramal, call), status: { neq: 'ended' } });

/** Looks up the id of the newest call between the two, active or ended. */
export const findLatestCall = (ramal: string, call: PhoneCall): Promise<string | undefined> =>
  findNewest(parties(ramal, call));

const parties = (ramal: string, { number, direction }: PhoneCall) =>
  direction === 'out' ? { from: ramal, to: number } : { to: ramal };

async function findNewest(where: object): Promise<string | undefined> {
  const filter = JSON.stringify({ where, limit: 1 });
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
