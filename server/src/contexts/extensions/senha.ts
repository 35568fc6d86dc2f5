import { createHash } from 'node:crypto';
import type { KeyRing } from '../../platform/keyring.ts';

const purpose = 'extension-password';

export const sealSenha = (keyRing: KeyRing, senha: string): string => keyRing.seal(purpose, senha);

export const openSenha = (keyRing: KeyRing, sealed: string): string => keyRing.open(purpose, sealed);

/** SIP's digest of a password, bound to one address. MD5 is what every softphone can do; the edge needs nothing more. */
export const ha1Of = (ramal: string, domain: string, senha: string): string =>
  createHash('md5').update(`${ramal}:${domain}:${senha}`).digest('hex');
