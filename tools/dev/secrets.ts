import { randomBytes } from 'node:crypto';
import { readJson, writeJson } from './files.ts';
import { inDev } from './paths.ts';

const make = {
  ownerPassword: random,
  appPassword: random,
  keyRing: () => `k1:${randomBytes(32).toString('base64')}`,
  digestKeys: () => `k1:${randomBytes(32).toString('hex')}`,
  edgePassword: random,
  operatorPassword: random,
  nonceSecret: random,
  dialogSecret: random,
  nodeSecret: random,
  nodeAriPassword: random,
  simulatorPassword: random,
  turnSecret: random,
};

export type Secrets = Record<keyof typeof make, string>;

/**
 * Returns the secrets, generated once per checkout and kept, so that stored data can still be decrypted and verified.
 */
export function devSecrets(): Secrets {
  const path = inDev('secrets.json');
  const kept = readJson<Partial<Secrets>>(path) ?? {};
  const names = Object.keys(make) as (keyof Secrets)[];
  const missing = names.filter((name) => kept[name] === undefined);
  const all = { ...kept, ...Object.fromEntries(missing.map((name) => [name, make[name]()])) } as Secrets;
  if (missing.length > 0) writeJson(path, all, 0o600);
  return all;
}

function random(): string {
  return randomBytes(24).toString('base64url');
}
