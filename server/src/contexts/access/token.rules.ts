import { createHash, randomBytes } from 'node:crypto';

export const defaultTtlSeconds = 1_209_600;
export const neverExpires = -1;
export const ttlBounds = { min: 60, max: 31_556_926 } as const;
export const mostTokens = 50;
export const prefixLength = 8;

/** 48 random bytes are 64 URL-safe characters and 384 bits nobody guesses. */
export const newToken = (): string => randomBytes(48).toString('base64url');

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export const isTtl = (ttl: number): boolean =>
  ttl === neverExpires || (Number.isInteger(ttl) && ttl >= ttlBounds.min && ttl <= ttlBounds.max);
