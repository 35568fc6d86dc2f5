export const defaultTtlSeconds = 1_209_600;
export const neverExpires = -1;
export const ttlBounds = { min: 60, max: 31_556_926 } as const;
export const mostTokens = 50;
export const prefixLength = 8;

export const isTtl = (ttl: number): boolean =>
  ttl === neverExpires || (Number.isInteger(ttl) && ttl >= ttlBounds.min && ttl <= ttlBounds.max);
