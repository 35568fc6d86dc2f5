/** Requests started before the code that needs them has loaded. Each response is used once. */

export const apiPath = '/api/v1';

/** Proves that our own page makes the request; the API ignores the session cookie without it. */
export const consoleHeaders = { 'X-Disca-Console': '1' } as const;

const early = new Map<string, Promise<Response>>();
/** Older responses are discarded as stale. */
const goodForMs = 15_000;

const keyOf = (url: URL): string => `${url.pathname}${decodeURIComponent(url.search)}`;

export function askEarly(path: string): void {
  const url = new URL(`${apiPath}${path}`, location.origin);
  const asked = fetch(url, { headers: consoleHeaders });
  const key = keyOf(url);
  const forget = (): void => {
    if (early.get(key) === asked) early.delete(key);
  };
  early.set(key, asked);
  // The user may log in after an error response, so it is not reused.
  asked.then(({ ok }) => ok || forget(), forget);
  setTimeout(forget, goodForMs);
}

/** Discards responses that belong to another session. */
export const forgetEarly = (): void => early.clear();

/** Returns the response of an early request, or fetches. */
export async function fetchOrTake(request: Request): Promise<Response> {
  const key = keyOf(new URL(request.url));
  const asked = request.method === 'GET' ? early.get(key) : undefined;
  if (!asked) return await fetch(request);
  early.delete(key);
  return await asked.catch(() => fetch(request));
}
