import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/**
 * The keys with which api and edges seal the HA1 of SIP passwords. They are neither in the database nor in backups, and
 * they open nothing else, so that an edge needs no key of the key ring.
 */
export interface DigestKeys {
  /** Ids, the current one first. */
  ids: string[];
  /** Encrypts an HA1 for one identity; `keyId` must be one of `ids`. */
  seal(keyId: string, identity: SipIdentity, ha1: string): string;
  /** Throws if the text was sealed for another identity or with an unknown key. */
  open(identity: SipIdentity, sealed: string): string;
}

export interface SipIdentity {
  username: string;
  domain: string;
}

const algorithm = 'aes-256-cbc';
const ivBytes = 16;

/**
 * AES-256-CBC, because Kamailio's module `crypto` has no authenticated mode. The key of each text is derived from the
 * identity, so that a text copied to another extension opens to nothing that a phone could know; an altered one only
 * makes logins fail. deploy/kamailio/guard.cfg opens the same form: `id.base64(IV, ciphertext)`.
 */
export function createDigestKeys(keys: { id: string; secret: string }[]): DigestKeys {
  const keyOf = (id: string, { username, domain }: SipIdentity): Buffer => {
    const secret = keys.find((key) => key.id === id)?.secret;
    if (secret === undefined) throw new Error(`DIGEST_KEYS has no key "${id}".`);
    return createHmac('sha256', secret).update(`${username}@${domain}`).digest();
  };
  return {
    ids: keys.map(({ id }) => id),
    seal(keyId, identity, ha1) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, keyOf(keyId, identity), iv);
      return `${keyId}.${Buffer.concat([iv, cipher.update(ha1, 'utf8'), cipher.final()]).toString('base64')}`;
    },
    open(identity, sealed) {
      const [id = '', text = ''] = sealed.split('.', 2);
      const bytes = Buffer.from(text, 'base64');
      const decipher = createDecipheriv(algorithm, keyOf(id, identity), bytes.subarray(0, ivBytes));
      const ha1 = Buffer.concat([decipher.update(bytes.subarray(ivBytes)), decipher.final()]).toString(
        'utf8',
      );
      if (!/^[0-9a-f]{32}$/.test(ha1)) throw new Error('The HA1 was sealed for another identity.');
      return ha1;
    },
  };
}
