/** Cookie that binds the callback of a provider to the browser that started the login. */
const cookieName = '__Host-disca-sso';
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export const flowCookie = (sealed: string, seconds: number): string =>
  `${cookieName}=${sealed}; Max-Age=${seconds}; ${attributes}`;

export const endedFlowCookie = `${cookieName}=; Max-Age=0; ${attributes}`;

export function flowFrom(cookies: string | undefined): string | undefined {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === cookieName)?.[1] || undefined;
}
