import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/**
 * A ring of keys: the first one is current, the others still decrypt and verify older texts. A separate key is derived
 * for every purpose, so that a link signed for one purpose is invalid for another.
 */
export interface KeyRing {
  /** Ids, the current one first. */
  ids: string[];
  /** Encrypts with the current key (AES-256-GCM). */
  seal(purpose: string, plain: string): string;
  /** Decrypts with any key of the ring; throws if the text was altered or its key was removed. */
  open(purpose: string, sealed: string): string;
  /** Returns a URL-safe signed text with payload and expiry. */
  sign(purpose: string, payload: object, expiresAt: Date): string;
  verify(purpose: string, signed: string, at: Date): Verified;
}

export type Verified =
  | { state: 'valid'; payload: Record<string, unknown> }
  | { state: 'expired' }
  | { state: 'invalid' };

interface Key {
  id: string;
  secret: Buffer;
}

export function createKeyRing(keys: Key[]): KeyRing {
  const [current] = keys;
  if (!current) throw new Error('The key ring is empty.');
  // KeyObjects, because passing raw key bytes makes Node six times slower.
  const derived = new Map<string, KeyObject>();
  const derive = (key: Key, purpose: string): KeyObject => {
    const name = `${key.id}/${purpose}`;
    const cached = derived.get(name);
    if (cached) return cached;
    const bytes = hkdfSync('sha256', key.secret, '', `disca/${purpose}`, 32);
    const fresh = createSecretKey(Buffer.from(bytes));
    derived.set(name, fresh);
    return fresh;
  };
  const find = (id: string | undefined): Key | undefined => keys.find((key) => key.id === id);

  return {
    ids: keys.map(({ id }) => id),
    seal(purpose, plain) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', derive(current, `seal/${purpose}`), iv);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [
        current.id,
        iv.toString('base64url'),
        cipher.getAuthTag().toString('base64url'),
        body.toString('base64url'),
      ].join('.');
    },
    open(purpose, sealed) {
      const [id, iv = '', tag = '', body = ''] = sealed.split('.');
      const key = find(id);
      if (!key) throw new Error(`The key ring has no key "${id}".`);
      const decipher = createDecipheriv(
        'aes-256-gcm',
        derive(key, `seal/${purpose}`),
        Buffer.from(iv, 'base64url'),
        { authTagLength: 16 },
      );
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString(
        'utf8',
      );
    },
    sign(purpose, payload, expiresAt) {
      const body = Buffer.from(JSON.stringify({ ...payload, exp: expiresAt.getTime() })).toString(
        'base64url',
      );
      return `${current.id}.${body}.${mac(derive(current, `sign/${purpose}`), body)}`;
    },
    verify(purpose, signed, at) {
      const [id, body = '', given = '', ...rest] = signed.split('.');
      const key = find(id);
      if (!key || rest.length > 0) return { state: 'invalid' };
      const expected = Buffer.from(mac(derive(key, `sign/${purpose}`), body));
      const actual = Buffer.from(given);
      if (expected.length !== actual.length || !timingSafeEqual(expected, actual))
        return { state: 'invalid' };
      const { exp, ...payload } = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Record<
        string,
        unknown
      >;
      return Number(exp) > at.getTime() ? { state: 'valid', payload } : { state: 'expired' };
    },
  };
}

/** Returns the id of the key with which a text was sealed. */
export const keyIdOf = (sealed: string): string => sealed.split('.', 1)[0] ?? '';

/** Returns the same text sealed with the current key; undefined if it is already. */
export function reseal(keyRing: KeyRing, purpose: string, sealed: string): string | undefined {
  if (keyIdOf(sealed) === keyRing.ids[0]) return undefined;
  return keyRing.seal(purpose, keyRing.open(purpose, sealed));
}

const mac = (key: KeyObject, body: string): string =>
  createHmac('sha256', key).update(body).digest('base64url');
