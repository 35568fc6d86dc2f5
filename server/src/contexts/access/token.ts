import { hash, randomBytes } from 'node:crypto';
import { tokenMark } from './token.rules.ts';

/** Returns a new token: its mark and 45 random bytes (360 bits), together 64 URL-safe characters. */
export const newToken = (): string => tokenMark + randomBytes(45).toString('base64url');

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');
