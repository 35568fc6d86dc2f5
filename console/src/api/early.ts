/** Requests started before the code that needs them has loaded. Each response is used once. */

export const apiPath = '/api/v1';

/** Sent by our own pages only; without it the API ignores the session cookie. */
export const consoleHeaders = { 'X-Disca-Console': '1' } as const;

const early = new Map<string, Promise<Response>>();
/** Older responses are discarded as stale. */
const maxAgeMs = 15_000;

const requestKey = (url: URL): string => `${url.pathname}${decodeURIComponent(url.search)}`;

export function fetchEarly(path: string): void {
  const url = new URL(`${apiPath}${path}`, location.origin);
  const response = fetch(url, { headers: consoleHeaders });
  const key = requestKey(url);
  const forget = (): void => {
    if (early.get(key) === response) early.delete(key);
  };
  early.set(key, response);
  // The user may log in after an error response, so it is not reused.
  response.then(({ ok }) => ok || forget(), forget);
  setTimeout(forget, maxAgeMs);
}

/** Discards responses that belong to another session. */
export const clearEarly = (): void => early.clear();

/** Returns the response of an early request, or fetches. */
export async function fetchOrReuse(request: Request): Promise<Response> {
  const key = requestKey(new URL(request.url));
  const response = request.method === 'GET' ? early.get(key) : undefined;
  if (!response) return await fetch(request);
  early.delete(key);
  return await response.catch(() => fetch(request));
}
