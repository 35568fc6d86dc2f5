import { api, apiPath, ask, consoleHeaders } from '../../../api/client.ts';
import type { paths } from '../../../api/generated/schema.js';

/** Short-lived credentials for the edge, and where to use them. */
export type PhoneSession =
  paths['/extensions/{id}/phone-sessions']['post']['responses'][200]['content']['application/json'];

export const openPhoneSession = (extensionId: number, signal: AbortSignal): Promise<PhoneSession> =>
  ask(
    api.POST('/extensions/{id}/phone-sessions', {
      params: { path: { id: String(extensionId) } },
      body: {},
      signal,
    }),
  );

/** Gives the extension back, even if the page is just being left. Credentials that are forgotten end by themselves. */
export async function endPhoneSession(extensionId: number, { id }: PhoneSession): Promise<void> {
  const url = `${apiPath}/extensions/${extensionId}/phone-sessions/${id}`;
  await fetch(url, { method: 'DELETE', headers: consoleHeaders, keepalive: true }).catch(() => undefined);
}

const settlingMs = 2_000;

/**
 * Whether another phone has the extension. Asked when nobody has just pressed a button: opening a page takes no phone
 * away from anybody. What the page before this one had registered ends a moment after it was left.
 */
export async function isTaken(extensionId: number, seen: boolean | undefined, signal: AbortSignal) {
  const look = async (): Promise<boolean> =>
    (await ask(api.GET('/extensions/{id}', { params: { path: { id: String(extensionId) } }, signal })))
      .registered;
  if (!(seen ?? (await look()))) return false;
  await new Promise((resolve) => setTimeout(resolve, settlingMs));
  return await look();
}
