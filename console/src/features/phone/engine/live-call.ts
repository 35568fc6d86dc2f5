import { api, apiPath, ask, consoleHeaders } from '../../../api/client.ts';
import type { PhoneCall } from '../state.ts';

/** The id of a call that goes on, where nobody has told it yet. */
export async function findCall(ramal: string, { number, direction }: PhoneCall): Promise<string | undefined> {
  const ends = direction === 'out' ? { from: ramal, to: number } : { to: ramal };
  const filter = JSON.stringify({ where: { ...ends, status: { neq: 'ended' } }, limit: 1 });
  const found = await ask(api.GET('/calls/search', { params: { query: { filter } } }));
  return found.data[0]?.id;
}

/** Ends a call without the phone's own connection. That it has ended meanwhile is as good. */
export async function hangUpByApi(id: string): Promise<void> {
  await ask(api.POST('/calls/{id}/hangup', { params: { path: { id } }, body: {} }));
}

/** The same while the page is being left, when nobody is there any more to hear the answer. */
export function hangUpOnTheWayOut(id: string): void {
  const headers = { ...consoleHeaders, 'Content-Type': 'application/json' };
  const url = `${apiPath}/calls/${id}/hangup`;
  fetch(url, { method: 'POST', headers, body: '{}', keepalive: true }).catch(() => undefined);
}
