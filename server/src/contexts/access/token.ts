import { hash, randomBytes } from 'node:crypto';

/** 48 random bytes are 64 URL-safe characters and 384 bits nobody guesses. */
export const newToken = (): string => randomBytes(48).toString('base64url');

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');
