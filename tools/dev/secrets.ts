import { randomBytes } from 'node:crypto';
import { readJson, writeJson } from './files.ts';
import { inDev } from './paths.ts';

export interface Secrets {
  ownerPassword: string;
  appPassword: string;
  keyRing: string;
}

/** Made once per checkout and kept, so that what was encrypted or signed yesterday still reads today. */
export function devSecrets(): Secrets {
  const path = inDev('secrets.json');
  const kept = readJson<Secrets>(path);
  if (kept) return kept;
  const made: Secrets = {
    ownerPassword: randomBytes(24).toString('base64url'),
    appPassword: randomBytes(24).toString('base64url'),
    keyRing: `k1:${randomBytes(32).toString('base64')}`,
  };
  writeJson(path, made, 0o600);
  return made;
}
