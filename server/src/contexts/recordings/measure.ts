import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { BodyMismatch } from './ports.ts';

/** Passes exactly `bytes` through and computes their SHA-256; fails as soon as there are more, or at the end if fewer. */
export function measure(bytes: number): { through: Transform; sha256: () => Buffer } {
  const hash = createHash('sha256');
  let seen = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      hash.update(chunk);
      if (seen > bytes) done(new BodyMismatch(`The body is longer than ${bytes} bytes.`));
      else done(null, chunk);
    },
    flush(done) {
      done(seen < bytes ? new BodyMismatch(`The body has ${seen} of ${bytes} bytes.`) : null);
    },
  });
  let digest: Buffer | undefined;
  return { through, sha256: () => (digest ??= hash.digest()) };
}
