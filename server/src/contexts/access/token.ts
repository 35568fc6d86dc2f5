import { hash, randomBytes } from 'node:crypto';

/** Returns a new token: 48 random bytes (384 bits) as 64 URL-safe characters. */
export const newToken = (): string => randomBytes(48).toString('base64url');

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');
