export const defaultTtlSeconds = 1_209_600;
export const neverExpires = -1;
export const ttlBounds = { min: 60, max: 31_556_926 } as const;
export const prefixLength = 8;
/** The beginning of every token, by which scanners for leaked secrets recognise it. Earlier tokens have none. */
export const tokenMark = 'dsk_';
export const maxAllowedAddresses = 20;

/** Live tokens of a user, of any kind. */
export const maxTokens = 50;
/** Live tokens of a user that were created explicitly; the remaining slots are reserved for logins. */
export const maxCreatedTokens = 45;
/** Live console sessions of a user. */
export const maxConsoleSessions = 10;

/** Returns whether the text has the format of a token's prefix; PostgreSQL would reject some other strings. */
export const isPrefix = (text: string): boolean => /^[\w-]{8}$/.test(text);

export const isTtl = (ttl: number): boolean =>
  ttl === neverExpires || (Number.isInteger(ttl) && ttl >= ttlBounds.min && ttl <= ttlBounds.max);

/** Created explicitly, or issued by a login to the API or the console. */
export type TokenKind = 'created' | 'login' | 'console';

/** Number of live tokens of a user, by kind. */
export type TokenCounts = Record<TokenKind, number>;

interface Surplus {
  consoleSessions: number;
  /** Number of logins to revoke, including console sessions. */
  logins: number;
}

/**
 * Returns how many logins must be revoked to make room for one more token. A few slots are always reserved for logins,
 * even if created tokens that predate their limit use up all others.
 */
export function surplusWith(counts: TokenCounts, added: TokenKind): Surplus {
  const after = { ...counts, [added]: counts[added] + 1 };
  const slots = Math.max(maxTokens - after.created, maxTokens - maxCreatedTokens);
  return {
    consoleSessions: Math.max(0, after.console - maxConsoleSessions),
    logins: Math.max(0, after.login + after.console - slots),
  };
}

/** Returns the logins to revoke; `replaceable` lists the least recently used one first. */
export function chooseReplaced<Login extends { isConsoleSession: boolean }>(
  replaceable: readonly Login[],
  surplus: Surplus,
): Login[] {
  const sessions = replaceable
    .filter(({ isConsoleSession }) => isConsoleSession)
    .slice(0, surplus.consoleSessions);
  const others = replaceable.filter((login) => !sessions.includes(login));
  return [...sessions, ...others.slice(0, Math.max(0, surplus.logins - sessions.length))];
}
