import { pipeline, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Database, inAccount } from '../../platform/db/database.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import {
  framesOf,
  headerBytes,
  newOwnerKey,
  openFrames,
  sealedSize,
  sealFrames,
} from '../../platform/sealed-frames.ts';
import type { Clock } from '../../platform/time.ts';
import { measure } from './measure.ts';
import type { ByteRange, RecordingStorage } from './ports.ts';
import { encryptedKeyOf, isEncrypted } from './recording.rules.ts';
import type { Recording } from './recording.ts';
import { ensureKey } from './recording-key.store.ts';

export const keyPurpose = 'recording-key';

type Named = Pick<Recording, 'accountId' | 'callId' | 'objectKey' | 'keySealed'>;

export interface WriteFileDeps {
  db: Database;
  clock: Clock;
  storage: RecordingStorage;
  keyRing: KeyRing;
}

/**
 * Stores a file encrypted with the key of its account, and returns its storage key and the SHA-256 of the audio. Throws
 * `BodyMismatch` if the body does not have the announced length.
 */
export async function writeFile(
  deps: WriteFileDeps,
  recording: Named,
  body: Readable,
  bytes: number,
): Promise<{ objectKey: string; sha256: Buffer }> {
  const owner = await accountKey(deps, recording);
  const { through, sha256 } = measure(bytes);
  const sealed = sealFrames({ owner, name: recording.callId });
  const objectKey = encryptedKeyOf(recording.objectKey);
  // A body that breaks off destroys the encrypted one with the same error.
  pipeline(body, through, sealed, () => undefined);
  await deps.storage.put(objectKey, sealed, sealedSize(bytes));
  return { objectKey, sha256: sha256() };
}

/** Returns the key of the account's files; the first file of an account creates it. */
async function accountKey({ db, clock, keyRing }: WriteFileDeps, recording: Named): Promise<Buffer> {
  const { accountId } = recording;
  const fresh = () => keyRing.seal(keyPurpose, newOwnerKey().toString('base64'));
  const sealed =
    recording.keySealed ??
    (await inAccount(db, accountId, (tx) => ensureKey(tx, accountId, fresh(), clock.now())));
  return openKey(keyRing, sealed);
}

const openKey = (keyRing: KeyRing, sealed: string): Buffer =>
  Buffer.from(keyRing.open(keyPurpose, sealed), 'base64');

/**
 * Opens a stored file, or a part of it, as audio; undefined if it does not exist. Of an encrypted file only the frames
 * that contain the part are read. One that was altered breaks off, and `onDamage` is called.
 */
export async function readFile(
  { storage, keyRing }: Pick<WriteFileDeps, 'storage' | 'keyRing'>,
  { callId, objectKey, keySealed, bytes }: Named & { bytes: number },
  range: ByteRange | undefined,
  onDamage: (error: Error) => void,
): Promise<Readable | undefined> {
  if (!isEncrypted(objectKey)) return await storage.get(objectKey, range);
  if (keySealed === null) throw new Error('The account has no key for its recordings.');
  const header = await storage.get(objectKey, { start: 0, end: headerBytes - 1 });
  if (!header) return undefined;
  const part = range ?? { start: 0, end: bytes - 1 };
  const file = { owner: openKey(keyRing, keySealed), name: callId };
  const opened = openFrames(file, await buffer(header), bytes, part);
  const { start, end } = framesOf(part, bytes);
  const frames = await storage.get(objectKey, { start, end });
  if (!frames) return undefined;
  pipeline(frames, opened, (error) => {
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') onDamage(error);
  });
  return opened;
}
