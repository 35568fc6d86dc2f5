import { randomBytes, randomInt } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import {
  DamagedFile,
  framesOf,
  headerBytes,
  openFrames,
  plainSize,
  sealedSize,
  sealFrames,
} from '../../src/platform/sealed-frames.ts';

const frame = 64 * 1024;
const key = { owner: randomBytes(32), name: 'a' };
const sizes = [1, 43, frame - 1, frame, frame + 1, 2 * frame, 3 * frame + 17];

/** Cuts bytes into chunks of random sizes, as they arrive over a network. */
function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const size = randomInt(1, 90_000);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const seal = (plain: Buffer): Promise<Buffer> => buffer(Readable.from(chunksOf(plain)).pipe(sealFrames(key)));

/** Opens a part as a server does: the header, then only the frames of the part. */
async function open(
  sealed: Buffer,
  plainBytes: number,
  part = { start: 0, end: plainBytes - 1 },
  by = key,
): Promise<Buffer> {
  const { start, end } = framesOf(part, plainBytes);
  const opened = openFrames(by, sealed.subarray(0, headerBytes), plainBytes, part);
  return await buffer(Readable.from(chunksOf(sealed.subarray(start, end + 1))).pipe(opened));
}

test('REST-03 a file of any size is the same after encryption and decryption', async () => {
  for (const size of sizes) {
    const plain = randomBytes(size);
    const sealed = await seal(plain);
    expect([sealed.length, plainSize(sealed.length)]).toEqual([sealedSize(size), size]);
    expect(sealed.includes(plain.subarray(0, 16)) && size >= 16).toBe(false);
    expect((await open(sealed, size)).equals(plain)).toBe(true);
  }
});

test('REST-03 any range is read from its frames only', async () => {
  for (const size of sizes) {
    const plain = randomBytes(size);
    const sealed = await seal(plain);
    const edges = [0, 1, frame - 1, frame, frame + 1, 2 * frame - 1, size - 2, size - 1];
    const points = [...new Set(edges.filter((point) => point >= 0 && point < size))];
    for (const start of points)
      for (const end of points.filter((point) => point >= start)) {
        const part = { start, end };
        expect(
          (await open(sealed, size, part)).equals(plain.subarray(start, end + 1)),
          `${start}-${end}`,
        ).toBe(true);
        const range = framesOf(part, size);
        expect(range.end - range.start + 1).toBeLessThanOrEqual(end - start + 1 + 2 * (frame + 16));
      }
  }
});

test('REST-03 an altered, reordered, truncated or foreign file does not open', async () => {
  const size = 3 * frame + 17;
  const sealed = await seal(randomBytes(size));
  const step = frame + 16;
  const altered = Buffer.from(sealed);
  altered[headerBytes + step + 5] = (altered[headerBytes + step + 5] ?? 0) ^ 1;
  const frames = [0, 1, 2, 3].map((n) =>
    sealed.subarray(headerBytes + n * step, headerBytes + (n + 1) * step),
  );
  const header = sealed.subarray(0, headerBytes);
  const reordered = Buffer.concat([header, ...[0, 2, 1, 3].map((n) => frames[n] ?? header)]);
  const otherHeader = Buffer.concat([header.subarray(0, 4), randomBytes(28), sealed.subarray(headerBytes)]);
  for (const damaged of [altered, reordered, otherHeader, sealed.subarray(0, -1), sealed.subarray(0, -step)])
    await expect(open(damaged, size)).rejects.toBeInstanceOf(DamagedFile);
  // A file that was cut at the end of a frame, whose size was changed as well.
  const cut = Buffer.concat([header, ...frames.slice(0, 3)]);
  await expect(open(cut, 3 * frame)).rejects.toBeInstanceOf(DamagedFile);
  for (const other of [
    { ...key, name: 'b' },
    { ...key, owner: randomBytes(32) },
  ])
    await expect(open(sealed, size, undefined, other)).rejects.toBeInstanceOf(DamagedFile);
  await expect(open(Buffer.alloc(sealed.length), size)).rejects.toBeInstanceOf(DamagedFile);
});

test('the same file is encrypted differently each time', async () => {
  const plain = Buffer.alloc(100, 7);
  const [one, two] = [await seal(plain), await seal(plain)];
  expect(one.subarray(headerBytes).equals(two.subarray(headerBytes))).toBe(false);
});

test('sizes that no encrypted file has are recognised', () => {
  for (const size of [0, headerBytes, headerBytes + 15, sealedSize(frame) + 1, sealedSize(frame) + 16])
    expect(plainSize(size)).toBeUndefined();
});
