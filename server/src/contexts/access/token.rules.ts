export const defaultTtlSeconds = 1_209_600;
export const neverExpires = -1;
export const ttlBounds = { min: 60, max: 31_556_926 } as const;
export const maxTokens = 50;
export const prefixLength = 8;

/** The form of a token's prefix; PostgreSQL would reject some other strings. */
export const isPrefix = (text: string): boolean => /^[\w-]{8}$/.test(text);

export const isTtl = (ttl: number): boolean =>
  ttl === neverExpires || (Number.isInteger(ttl) && ttl >= ttlBounds.min && ttl <= ttlBounds.max);
