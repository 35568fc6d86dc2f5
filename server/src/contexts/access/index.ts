export { findLogin, findUserAccount } from './access.store.ts';
export { type ProveAddress, signAddressProof } from './address-proof.ts';
export { type AuthenticateDeps, authenticate, refreshCaller } from './authenticate.ts';
export { cookieToken } from './console-session.rules.ts';
export { deviceOf } from './device.ts';
export { addressesOf } from './erasure.store.ts';
export { resetFactorsOf } from './factors/operate-factors.ts';
export { totpSeals } from './factors/reseal-totp.ts';
export { newTotpSecret, timeStepOf, totpUri } from './factors/totp.ts';
export {
  eraseFormerEmail,
  findFormerEmail,
  formerEmailSeconds,
  isEmailFreeForOwner,
  isEmailHeld,
  keepFormerEmail,
  releaseUnconfirmedEmail,
  takeFormerEmail,
} from './former-email.store.ts';
export { noteSenhaRead } from './note-senha-read.ts';
export { openSsoSession } from './open-sso-session.ts';
export { createPasswords, type Passwords } from './passwords.ts';
export { replaceSession } from './replace-session.ts';
export { refuseExemptAdmin } from './require-sso.ts';
export { hasServiceToken } from './service-token.store.ts';
export {
  countCreatedTokens,
  deleteAllTokens,
  endSessions,
  hasToken,
  holdToken,
  noteProof,
  revokeLogins,
  revokeOtherTokens,
} from './token.store.ts';
export { createTokenUse } from './token-use.ts';
