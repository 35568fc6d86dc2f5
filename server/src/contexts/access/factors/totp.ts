import { generateSecret, generateURI, verify } from 'otplib';

const issuer = 'Disca';
/** Apps and servers may differ by one period, 30 s. */
const toleranceSeconds = 30;

/** Purpose with which stored secrets are sealed. */
export const totpPurpose = 'totp';

export const newTotpSecret = (): string => generateSecret();

/** Returns the text of the QR code that apps read. */
export const totpUri = (secret: string, email: string): string =>
  generateURI({ issuer, label: email, secret });

/** Spaces are removed, because apps show the code in groups. */
const codeFrom = (text: string): string => text.replaceAll(/\s/g, '');

const isTotpCode = (text: string): boolean => /^\d{6}$/.test(codeFrom(text));

/** Returns the time step of a code, in periods since 1970; undefined if the code is wrong. */
export async function timeStepOf(secret: string, code: string, at: Date): Promise<number | undefined> {
  if (!isTotpCode(code)) return undefined;
  const result = await verify({
    secret,
    token: codeFrom(code),
    epoch: Math.floor(at.getTime() / 1000),
    epochTolerance: toleranceSeconds,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}
