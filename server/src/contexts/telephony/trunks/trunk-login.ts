import type { KeyRing } from '../../../platform/keyring.ts';
import type { SealedLogin, TrunkLogin } from './trunk.ts';

export const purpose = 'trunk-password';

export const sealLogin = (keyRing: KeyRing, login: TrunkLogin | null): SealedLogin | null =>
  login && { user: login.user, passwordSealed: keyRing.seal(purpose, login.password) };

export const openLogin = (keyRing: KeyRing, login: SealedLogin | null): TrunkLogin | null =>
  login && { user: login.user, password: keyRing.open(purpose, login.passwordSealed) };
