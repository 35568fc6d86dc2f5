import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { BodyMismatch, type RecordingStorage } from '../../../src/contexts/recordings/index.ts';

const newKey = (): string => `7/2026-11-15/ab/${randomUUID()}.wav`;

const toStream = (content: Buffer): Readable => {
  const chunks: Buffer[] = [];
  for (let at = 0; at < content.length; at += 50_000) chunks.push(content.subarray(at, at + 50_000));
  return Readable.from(chunks);
};

/** Declares the tests that every storage adapter must pass. */
export function conformsToStorage(storage: () => RecordingStorage): void {
  const read = async (key: string, range?: { start: number; end: number }) => {
    const body = await storage().get(key, range);
    return body && (await buffer(body));
  };

  test('returns a file as written, with its SHA-256', async () => {
    const key = newKey();
    const content = randomBytes(300_000);
    const { sha256 } = await storage().put(key, toStream(content), content.length);
    expect(sha256).toEqual(createHash('sha256').update(content).digest());
    expect(await storage().stat(key)).toEqual({ bytes: content.length });
    expect((await read(key))?.equals(content)).toBe(true);
  });

  test('reads a byte range, inclusive at both ends', async () => {
    const key = newKey();
    const content = randomBytes(100_000);
    await storage().put(key, toStream(content), content.length);
    for (const [start, end] of [
      [0, 0],
      [0, 99_999],
      [1, 65_536],
      [99_999, 99_999],
    ] as const) {
      expect((await read(key, { start, end }))?.equals(content.subarray(start, end + 1))).toBe(true);
    }
  });

  test('overwrites a file that is written again', async () => {
    const key = newKey();
    await storage().put(key, toStream(Buffer.from('first')), 5);
    await storage().put(key, toStream(Buffer.from('second')), 6);
    expect((await read(key))?.toString()).toBe('second');
  });

  test('lists all files by key', async () => {
    const keys = [newKey(), newKey(), newKey(), newKey(), newKey()];
    for (const key of keys) await storage().put(key, toStream(Buffer.from('here')), 4);
    const listed: string[] = [];
    for await (const some of storage().list()) listed.push(...some);
    expect(listed).toEqual(expect.arrayContaining(keys));
    expect(new Set(listed).size).toBe(listed.length);
  });

  test('reports a missing file as absent, and removes it without an error', async () => {
    const key = newKey();
    expect(await storage().stat(key)).toBeUndefined();
    expect(await storage().get(key)).toBeUndefined();
    await storage().put(key, toStream(Buffer.from('here')), 4);
    await storage().remove(key);
    await storage().remove(key);
    expect(await storage().stat(key)).toBeUndefined();
    expect(await storage().get(key)).toBeUndefined();
  });

  test('a body shorter or longer than its declared length leaves nothing behind', async () => {
    const content = randomBytes(200_000);
    for (const bytes of [199_999, 200_001, 50_000]) {
      const key = newKey();
      await expect(storage().put(key, toStream(content), bytes)).rejects.toBeInstanceOf(BodyMismatch);
      expect(await storage().stat(key)).toBeUndefined();
    }
  });

  test('an aborted body leaves nothing behind and keeps the previous file', async () => {
    const key = newKey();
    const breaking = () =>
      Readable.from(
        (async function* () {
          yield randomBytes(70_000);
          throw new Error('connection lost');
        })(),
      );
    await expect(storage().put(key, breaking(), 100_000)).rejects.toThrow('connection lost');
    expect(await storage().stat(key)).toBeUndefined();
    await storage().put(key, toStream(Buffer.from('whole')), 5);
    await expect(storage().put(key, breaking(), 100_000)).rejects.toThrow('connection lost');
    expect((await read(key))?.toString()).toBe('whole');
  });

  test('writes and reads many files concurrently', async () => {
    const files = Array.from({ length: 20 }, () => ({ key: newKey(), content: randomBytes(64_000) }));
    await Promise.all(files.map(({ key, content }) => storage().put(key, toStream(content), content.length)));
    const contents = await Promise.all(files.map(({ key }) => read(key)));
    expect(contents.every((content, at) => content?.equals(files[at]?.content ?? Buffer.alloc(0)))).toBe(
      true,
    );
  });

  test('rejects keys that point outside the storage', async () => {
    for (const key of [
      '../x.wav',
      '7/../../x.wav',
      '/etc/passwd',
      '7//x.wav',
      '7/x.wav/',
      '',
      '7/x',
      '7/\0.wav',
      `7/${'a'.repeat(200)}.wav`,
    ]) {
      await expect(storage().put(key, toStream(Buffer.from('x')), 1), key).rejects.toThrow(
        'Invalid recording key',
      );
      await expect(storage().get(key), key).rejects.toThrow('Invalid recording key');
      await expect(storage().stat(key), key).rejects.toThrow('Invalid recording key');
      await expect(storage().remove(key), key).rejects.toThrow('Invalid recording key');
    }
  });
}
