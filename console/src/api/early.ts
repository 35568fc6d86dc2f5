/** Questions that are asked before the code that wants to know has come, each answered once. */

export const apiPath = '/api/v1';

/** Proves that a request is made by our own page, without which the cookie counts for nothing. */
export const consoleHeaders = { 'X-Disca-Console': '1' } as const;

const early = new Map<string, Promise<Response>>();
/** What is older may not be true any more. */
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
  // A refusal may be of somebody who logs in meanwhile.
  asked.then(({ ok }) => ok || forget(), forget);
  setTimeout(forget, goodForMs);
}

/** What was asked as somebody else is no answer. */
export const forgetEarly = (): void => early.clear();

/** Fetches, or takes what was asked early. */
export async function fetchOrTake(request: Request): Promise<Response> {
  const key = keyOf(new URL(request.url));
  const asked = request.method === 'GET' ? early.get(key) : undefined;
  if (!asked) return await fetch(request);
  early.delete(key);
  return await asked.catch(() => fetch(request));
}
