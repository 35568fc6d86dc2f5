/** Cookie with the token of a browser session; no script can read it and no other host can set it. */
const cookieName = '__Host-disca';

export const consoleTokenName = 'Console';
/** A session ends after this long, however often it is used. Also in server/sql/access/touch_tokens.sql. */
export const longestSessionSeconds = 90 * 24 * 3600;

/** Properties of the token of a session, whose `ttl` starts again with every use. */
export const consoleLogin = (idleSeconds: number) =>
  ({ ttl: idleSeconds, name: consoleTokenName, isConsoleSession: true }) as const;

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export const sessionCookie = (token: string): string =>
  `${cookieName}=${token}; Max-Age=${longestSessionSeconds}; ${attributes}`;

export const endedCookie = `${cookieName}=; Max-Age=0; ${attributes}`;

interface CookieHeaders {
  cookie?: string | undefined;
  host?: string | undefined;
  origin?: string | undefined;
  'sec-fetch-site'?: string | string[] | undefined;
  'x-disca-console'?: string | string[] | undefined;
}

/**
 * Returns the token from the session cookie if the request comes from a page of the console. Browsers send cookies
 * automatically, so the request must also carry a header that other sites cannot add without a preflight, and must
 * not come from another origin.
 */
export function cookieToken(headers: CookieHeaders): string | undefined {
  if (headers['x-disca-console'] !== '1' || isFromElsewhere(headers)) return undefined;
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === cookieName)?.[1] || undefined;
}

/** Uses Sec-Fetch-Site if present, otherwise Origin, which a proxy may forward with another host name. */
function isFromElsewhere({ host, origin, 'sec-fetch-site': site }: CookieHeaders): boolean {
  if (site !== undefined) return site !== 'same-origin';
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
