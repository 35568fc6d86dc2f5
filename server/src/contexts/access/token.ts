import { hash, randomBytes } from 'node:crypto';

/** 48 random bytes: 64 URL-safe characters, 384 bits. */
export const newToken = (): string => randomBytes(48).toString('base64url');

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');
