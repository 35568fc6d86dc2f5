import { createCipheriv, createDecipheriv, type DecipherGCM, hkdfSync, randomBytes } from 'node:crypto';
import { Transform } from 'node:stream';

/**
 * Encryption of files in frames, so that a part can be read without the rest. A file is a header and frames of 64 kB,
 * each encrypted and authenticated by itself with AES-256-GCM. The key of a file is derived from the key of its owner, the
 * name of the file and the header, which is random: a file that is written again has another key, so that no nonce is
 * used twice. The nonce contains the number of the frame and whether it is the last one, so that frames cannot be
 * reordered, and a file cannot be truncated.
 */
const frameBytes = 64 * 1024;
const tagBytes = 16;
const magic = Buffer.from('DSF1');
export const headerBytes = 32;

export interface FileKey {
  /** 32 bytes. */
  owner: Buffer;
  /** Identifies the file among those of its owner. */
  name: string;
}

export const newOwnerKey = (): Buffer => randomBytes(32);

const countFrames = (plainBytes: number): number => Math.max(1, Math.ceil(plainBytes / frameBytes));

/** Returns the size of the encrypted form of a file. */
export const sealedSize = (plainBytes: number): number =>
  headerBytes + plainBytes + countFrames(plainBytes) * tagBytes;

/** Returns the size of a file from that of its encrypted form; undefined if no file has that one. */
export function plainSize(sealedBytes: number): number | undefined {
  const body = sealedBytes - headerBytes;
  const plain = body - Math.ceil(body / (frameBytes + tagBytes)) * tagBytes;
  return body >= tagBytes && sealedSize(plain) === sealedBytes ? plain : undefined;
}

/** The frames that contain a part of a file, and where they are in its encrypted form. Both ends are inclusive. */
export interface FrameRange {
  first: number;
  last: number;
  start: number;
  end: number;
}

export function framesOf(part: { start: number; end: number }, plainBytes: number): FrameRange {
  const first = Math.floor(part.start / frameBytes);
  const last = Math.floor(part.end / frameBytes);
  const offsetOf = (frame: number): number => headerBytes + frame * (frameBytes + tagBytes);
  return {
    first,
    last,
    start: offsetOf(first),
    end: Math.min(offsetOf(last + 1), sealedSize(plainBytes)) - 1,
  };
}

const nonceOf = (frame: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(frame, 7);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
};

const keyOf = ({ owner, name }: FileKey, header: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', owner, header, `disca/file/${name}`, 32));

/** Cuts a stream into pieces of `size`, the last one shorter, and replaces each. */
function eachPiece(
  size: number,
  replace: (piece: Buffer, isLast: boolean) => Buffer,
  before?: Buffer,
): Transform {
  let pending: Buffer[] = [];
  let length = 0;
  let isFirst = true;
  const emit = (stream: Transform, piece: Buffer, isLast: boolean): void => {
    if (isFirst && before) stream.push(before);
    isFirst = false;
    stream.push(replace(piece, isLast));
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      pending.push(chunk);
      length += chunk.length;
      // A whole piece is kept until more arrives, because it may be the last one.
      if (length <= size) return done();
      const all = Buffer.concat(pending);
      let at = 0;
      try {
        for (; all.length - at > size; at += size) emit(this, all.subarray(at, at + size), false);
      } catch (error) {
        return done(error as Error);
      }
      pending = [all.subarray(at)];
      length = all.length - at;
      done();
    },
    flush(done) {
      try {
        emit(this, Buffer.concat(pending), true);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

/** A file that was altered, moved or cut off, or is not encrypted in a known form. */
export class DamagedFile extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DamagedFile';
  }
}

/** Encrypts a file. */
export function sealFrames(key: FileKey): Transform {
  const header = Buffer.concat([magic, randomBytes(headerBytes - magic.length)]);
  const fileKey = keyOf(key, header);
  let frame = 0;
  const seal = (piece: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', fileKey, nonceOf(frame, isLast));
    frame += 1;
    return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  };
  return eachPiece(frameBytes, seal, header);
}

/**
 * Decrypts the frames `first` to `last` of a file of `plainBytes`, and passes on the part from `start` to `end`. Fails if
 * a frame was altered, moved or cut off.
 */
export function openFrames(
  key: FileKey,
  header: Buffer,
  plainBytes: number,
  part: { start: number; end: number } = { start: 0, end: plainBytes - 1 },
): Transform {
  if (header.length !== headerBytes || !header.subarray(0, magic.length).equals(magic))
    throw new DamagedFile('The file is not encrypted in a known form.');
  const fileKey = keyOf(key, header);
  const { first, last } = framesOf(part, plainBytes);
  const finalFrame = countFrames(plainBytes) - 1;
  let frame = first;
  const open = (piece: Buffer, isEnd: boolean): Buffer => {
    if (isEnd !== (frame === last) || piece.length < tagBytes)
      throw new DamagedFile('The file is incomplete.');
    const decipher = createDecipheriv('aes-256-gcm', fileKey, nonceOf(frame, frame === finalFrame), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(piece.subarray(-tagBytes));
    const plain = finish(decipher, piece.subarray(0, -tagBytes));
    const offset = frame * frameBytes;
    frame += 1;
    return plain.subarray(Math.max(0, part.start - offset), Math.max(0, part.end + 1 - offset));
  };
  return eachPiece(frameBytes + tagBytes, open);
}

function finish(decipher: DecipherGCM, sealed: Buffer): Buffer {
  try {
    return Buffer.concat([decipher.update(sealed), decipher.final()]);
  } catch (error) {
    throw new DamagedFile('The file was altered.', { cause: error });
  }
}
