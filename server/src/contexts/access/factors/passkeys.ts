import { randomBytes } from 'node:crypto';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { KeyRing } from '../../../platform/keyring.ts';
import { secondsAfter } from '../../../platform/time.ts';
import type { Passkey } from './factor.store.ts';

export interface PasskeyDeps {
  keyRing: KeyRing;
  /** The pages on which passkeys are used. */
  consoleUrl: string;
}

export type PasskeyAnswer = AuthenticationResponseJSON;
export type PasskeyRegistration = RegistrationResponseJSON;

const siteName = 'Disca';
const challengeSeconds = 300;
const purposes = { proof: 'passkey-proof', registration: 'passkey-registration' } as const;

/** Passkeys belong to the host of the console and cannot be used by pages of other hosts. */
const siteOf = ({ consoleUrl }: PasskeyDeps) => {
  const { hostname, origin } = new URL(consoleUrl);
  return { id: hostname, origin };
};

/** Returns the options for asking the browser for a passkey. They name no passkey: the browser offers those of this site. */
export async function askForPasskey(
  deps: PasskeyDeps,
  at: Date,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return await generateAuthenticationOptions({
    rpID: siteOf(deps).id,
    challenge: challengeOf(deps, purposes.proof, {}, at),
    timeout: challengeSeconds * 1000,
    userVerification: 'preferred',
  });
}

/** Returns what the browser needs to create a passkey for a user who has these. */
export async function askForNewPasskey(
  deps: PasskeyDeps,
  user: { uuid: string; email: string; name: string },
  existing: Passkey[],
  at: Date,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return await generateRegistrationOptions({
    rpName: siteName,
    rpID: siteOf(deps).id,
    userID: new TextEncoder().encode(user.uuid),
    userName: user.email,
    userDisplayName: user.name,
    challenge: challengeOf(deps, purposes.registration, { user: user.uuid }, at),
    timeout: challengeSeconds * 1000,
    attestationType: 'none',
    excludeCredentials: existing.map(({ credentialId: id, transports }) => ({ id, transports })),
    // The list of a user's passkeys is not revealed at login, so the browser must be able to find them.
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  });
}

/** Returns when the answered challenge was issued and the passkey's new counter; undefined if the answer is wrong. */
export async function checkPasskey(
  deps: PasskeyDeps,
  passkey: Passkey,
  answer: PasskeyAnswer,
  at: Date,
): Promise<{ challengeAt: Date; signCount: number } | undefined> {
  const site = siteOf(deps);
  const challenge = readChallenge(deps, purposes.proof, at);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challenge.accept,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: false,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.signCount,
        transports: passkey.transports,
      },
    });
    return verified
      ? { challengeAt: challenge.issuedAt(), signCount: authenticationInfo.newCounter }
      : undefined;
  } catch {
    // The library throws on every answer that it does not accept.
    return undefined;
  }
}

/** Returns the new passkey of a user; undefined if the registration is wrong. */
export async function checkNewPasskey(
  deps: PasskeyDeps,
  userUuid: string,
  registration: PasskeyRegistration,
  at: Date,
): Promise<(Omit<Passkey, 'kind' | 'id'> & { challengeAt: Date }) | undefined> {
  const site = siteOf(deps);
  const challenge = readChallenge(deps, purposes.registration, at, userUuid);
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: registration,
      expectedChallenge: challenge.accept,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: false,
    });
    if (!verified) return undefined;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey),
      signCount: counter,
      transports,
      challengeAt: challenge.issuedAt(),
    };
  } catch {
    // The library throws on every registration that it does not accept.
    return undefined;
  }
}

/** A challenge is a signed text, so that no node has to remember it. */
function challengeOf({ keyRing }: PasskeyDeps, purpose: string, payload: object, at: Date): string {
  const nonce = randomBytes(16).toString('base64url');
  const expiresAt = secondsAfter(at, challengeSeconds);
  return keyRing.sign(purpose, { ...payload, nonce, at: at.getTime() }, expiresAt);
}

function readChallenge({ keyRing }: PasskeyDeps, purpose: string, at: Date, userUuid?: string) {
  let issuedAtMs = 0;
  return {
    accept(challenge: string): boolean {
      const verified = keyRing.verify(purpose, Buffer.from(challenge, 'base64url').toString('utf8'), at);
      if (verified.state !== 'valid' || verified.payload.user !== userUuid) return false;
      issuedAtMs = Number(verified.payload.at);
      return true;
    },
    issuedAt: (): Date => new Date(issuedAtMs),
  };
}
