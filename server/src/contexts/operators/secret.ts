import { createHash, randomBytes } from 'node:crypto';

/** Returns a new set-up code or token of a session. */
export const newSecret = (): string => randomBytes(24).toString('base64url');

export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
