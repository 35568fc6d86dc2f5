/** The token of a browser's session, kept in a cookie that no script can read and no other host can set. */
const cookieName = '__Host-disca';

export const consoleTokenName = 'Console';
const consoleSessionSeconds = 14 * 24 * 3600;

export const consoleLogin = {
  ttl: consoleSessionSeconds,
  name: consoleTokenName,
  isConsoleSession: true,
} as const;

/** Sessions of one user at a time; the oldest makes room for a new one. */
export const mostConsoleSessions = 10;

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export const sessionCookie = (token: string): string =>
  `${cookieName}=${token}; Max-Age=${consoleSessionSeconds}; ${attributes}`;

export const endedCookie = `${cookieName}=; Max-Age=0; ${attributes}`;

interface CookieHeaders {
  cookie?: string | undefined;
  host?: string | undefined;
  origin?: string | undefined;
  'sec-fetch-site'?: string | string[] | undefined;
  'x-disca-console'?: string | string[] | undefined;
}

/**
 * The token of the cookie, for requests that our own pages make. A browser sends the cookie by itself, so a request must
 * also carry a header that other sites cannot add without asking first, and must not say that it comes from elsewhere.
 */
export function cookieToken(headers: CookieHeaders): string | undefined {
  if (headers['x-disca-console'] !== '1' || isFromElsewhere(headers)) return undefined;
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === cookieName)?.[1] || undefined;
}

/** Browsers tell it themselves; those that do not yet tell the origin, which a proxy in between must not make a stranger. */
function isFromElsewhere({ host, origin, 'sec-fetch-site': site }: CookieHeaders): boolean {
  if (site !== undefined) return site !== 'same-origin';
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
