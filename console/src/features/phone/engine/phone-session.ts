import { type Answer, api, apiPath, consoleHeaders, unwrap } from '../../../api/client.ts';

/** Short-lived SIP credentials and edge addresses. */
export type PhoneSession = Answer<'/extensions/{id}/phone-sessions', 'post'>;

export const openPhoneSession = (extensionId: number, signal: AbortSignal): Promise<PhoneSession> =>
  unwrap(
    api.POST('/extensions/{id}/phone-sessions', {
      params: { path: { id: String(extensionId) } },
      body: {},
      signal,
    }),
  );

/** Ends the session, even while the page unloads. Credentials expire anyway. */
export async function endPhoneSession(extensionId: number, { id }: PhoneSession): Promise<void> {
  const url = `${apiPath}/extensions/${extensionId}/phone-sessions/${id}`;
  await fetch(url, { method: 'DELETE', headers: consoleHeaders, keepalive: true }).catch(() => undefined);
}

const settlingMs = 2_000;

/**
 * Whether another phone has registered the extension. Checked unless the user has just clicked: opening a page must not
 * take over the phone. Checked twice, because the registration of a previous page ends shortly after it is closed.
 */
export async function isExtensionTaken(extensionId: number, seen: boolean | undefined, signal: AbortSignal) {
  const look = async (): Promise<boolean> =>
    (await unwrap(api.GET('/extensions/{id}', { params: { path: { id: String(extensionId) } }, signal })))
      .registered;
  if (!(seen ?? (await look()))) return false;
  await new Promise((resolve) => setTimeout(resolve, settlingMs));
  return await look();
}
