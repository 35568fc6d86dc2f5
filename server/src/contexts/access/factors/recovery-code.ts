import { createHash, randomBytes } from 'node:crypto';

const codesAtOnce = 10;
/** 80 bits. */
const codeBytes = 10;

/** Without letters that look like digits (Crockford's base 32). */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

interface RecoveryCode {
  /** Shown once. */
  code: string;
  hash: Buffer;
}

export const newRecoveryCodes = (): RecoveryCode[] =>
  Array.from({ length: codesAtOnce }, () => {
    const plain = encode(randomBytes(codeBytes));
    return { code: (plain.match(/.{4}/g) ?? []).join('-'), hash: hashOf(plain) };
  });

/** Returns the hash under which a code is stored; undefined for a text that is no recovery code. */
export function hashRecoveryCode(text: string): Buffer | undefined {
  const plain = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return /^[0-9A-HJKMNP-TV-Z]{16}$/.test(plain) ? hashOf(plain) : undefined;
}

function encode(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => letters[Number.parseInt(five, 2)]).join('');
}

// The codes are random, so a fast hash is enough.
const hashOf = (plain: string): Buffer => createHash('sha256').update(plain).digest();
