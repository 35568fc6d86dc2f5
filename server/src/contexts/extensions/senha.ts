import { createHash } from 'node:crypto';
import type { KeyRing } from '../../platform/keyring.ts';

export const purpose = 'extension-password';

export const sealSenha = (keyRing: KeyRing, senha: string): string => keyRing.seal(purpose, senha);

export const openSenha = (keyRing: KeyRing, sealed: string): string => keyRing.open(purpose, sealed);

/** Returns the SIP digest (HA1) of a password. MD5, because every softphone supports it. */
export const ha1Of = (ramal: string, domain: string, senha: string): string =>
  createHash('md5').update(`${ramal}:${domain}:${senha}`).digest('hex');
