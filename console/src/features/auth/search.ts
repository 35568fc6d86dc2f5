const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);
const withoutUndefined = <Search extends object>(search: Search): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search;

export interface LoginSearch {
  /** Path to open after login. */
  next?: string | undefined;
  /** Result of the confirmation link. */
  confirmation?: string | undefined;
  notice?: string | undefined;
  /** From the confirmation link; sent with the login. */
  proof?: string | undefined;
}

export const validateLoginSearch = (search: Record<string, unknown>): LoginSearch =>
  withoutUndefined({
    next: text(search.next),
    confirmation: text(search.confirmation),
    notice: text(search.notice),
    proof: text(search.proof),
  });

export const validateResetSearch = (search: Record<string, unknown>): { token?: string | undefined } =>
  withoutUndefined({ token: text(search.token) });

/** Returns the path if it is on this site; prevents open redirects. */
export const safeRedirect = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) && !next.startsWith('/login') ? next : '/';
