import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { generateSync } from 'otplib';
import type { Person } from './people.ts';
import type { Platform } from './platform.ts';

/** The secret of the app in example requests. */
export const exampleTotpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

const periodMs = 30_000;

/** Returns the code that an app shows at a time. */
export const totpCode = (secret: string, at: Date = new Date()): string =>
  generateSync({ secret, epoch: Math.floor(at.getTime() / 1000) });

/** Returns the code of another period than that of `at`: 1 is the next one. */
export const totpCodeAfter = (secret: string, periods: number, at: Date): string =>
  totpCode(secret, new Date(at.getTime() + periods * periodMs));

/** Returns a started set-up of an app with a known secret, as `POST /users/me/factors/totp/start` returns it. */
export function sealTotpSetUp({ api }: Pick<Platform, 'api'>, userUuid: string, secret: string): string {
  const expiresAt = Date.now() + 900_000;
  return api.base.keyRing.seal('totp-set-up', JSON.stringify({ secret, user: userUuid, expiresAt }));
}

/** Adds an app to a user who has just logged in. Returns its secret, and recovery codes if it is the first factor. */
export async function addTotp(
  { clock }: { clock: { now(): Date } },
  { client }: Person,
  name = 'Phone',
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const started = await client.post('/users/me/factors/totp/start');
  if (started.status !== 200) throw new Error(`The start returned ${started.status}: ${started.text}`);
  const { secret, setUp } = started.body;
  const code = totpCode(secret, clock.now());
  const added = await client.post('/users/me/factors/totp', { name, setUp, code });
  if (added.status !== 200) throw new Error(`Adding an app returned ${added.status}: ${added.text}`);
  return { secret, recoveryCodes: added.body.recoveryCodes };
}

/** A passkey in software, which answers the options of the API like a browser at `origin`. */
export function createPasskey(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let uses = 0;
  const credential = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    authenticatorAttachment: 'platform',
  };
  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (site: string, flags: number): Buffer => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(uses);
    return Buffer.concat([sha256(site), Buffer.from([flags]), counter]);
  };

  return {
    register(options: { challenge: string; rp: { id: string } }) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const data = Buffer.concat([
        authenticatorData(options.rp.id, present | verified | hasCredential),
        Buffer.alloc(16),
        length,
        id,
        coseKey(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')),
      ]);
      return {
        ...credential,
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge).toString('base64url'),
          attestationObject: attestationOf(data).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    answer(options: { challenge: string; rpId: string }) {
      uses += 1;
      const data = authenticatorData(options.rpId, present | verified);
      const client = clientData('webauthn.get', options.challenge);
      return {
        ...credential,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
        },
      };
    },
  };
}

// Flags of authenticator data (WebAuthn, section 6.1).
const present = 0x01;
const verified = 0x04;
const hasCredential = 0x40;

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** Returns an ES256 key in CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
const coseKey = (x: Buffer, y: Buffer): Buffer =>
  Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), x, Buffer.from('225820', 'hex'), y]);

/** Returns {fmt: "none", attStmt: {}, authData} in CBOR. */
const attestationOf = (data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0xa3, 0x63]),
    Buffer.from('fmt'),
    Buffer.from([0x64]),
    Buffer.from('none'),
    Buffer.from([0x67]),
    Buffer.from('attStmt'),
    Buffer.from([0xa0, 0x68]),
    Buffer.from('authData'),
    Buffer.from([0x58, data.length]),
    data,
  ]);
