import fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectKeyOf, parseRange, wavDurationMs } from '../../../src/contexts/recordings/recording.rules.ts';
import { configSchema } from '../../../src/main/config.ts';

test('a served range always lies within the file', () => {
  const header = fc.oneof(
    fc.string(),
    fc.tuple(fc.nat(), fc.nat()).map(([first, last]) => `bytes=${first}-${last}`),
    fc.nat().map((first) => `bytes=${first}-`),
    fc.nat().map((last) => `bytes=-${last}`),
    fc.bigInt({ min: 0n }).map((first) => `bytes=${first}-`),
  );
  fc.assert(
    fc.property(header, fc.integer({ min: 1, max: 10_000 }), (range, bytes) => {
      const part = parseRange(range, bytes);
      if (part.kind !== 'part') return true;
      return part.start >= 0 && part.start <= part.end && part.end < bytes;
    }),
  );
});

test('reads the length of a WAV from its header, and nothing from other files', () => {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.write('WAVE', 8);
  head.writeUInt32LE(16_000, 28);
  expect(wavDurationMs(head, 44 + 16_000)).toBe(1000);
  expect(wavDurationMs(head, 44 + 8)).toBe(1);
  expect(wavDurationMs(head.subarray(0, 43), 100)).toBeUndefined();
  expect(wavDurationMs(Buffer.alloc(44), 100)).toBeUndefined();
  head.writeUInt32LE(0, 28);
  expect(wavDurationMs(head, 100)).toBeUndefined();
});

test('a key starts with its account and day, and is deterministic', () => {
  const callId = '019a8f00-0000-7000-8000-0000000000ab';
  const key = objectKeyOf(7, callId, new Date('2026-11-15T23:59:59Z'));
  expect(key).toBe(`7/2026-11-15/ab/${callId}.wav`);
});

test('a storage is a folder or a bucket; anything else is rejected at start', () => {
  const isTaken = (url: string) => configSchema.shape.STORAGE_URL.safeParse(url).success;
  for (const url of [
    'file:///var/lib/disca/recordings',
    's3://bucket',
    's3://bucket/prefix?endpoint=https://s3.example.com&region=sa-east-1',
    's3://bucket?endpoint=http%3A%2F%2F127.0.0.1%3A9000',
  ])
    expect([url, isTaken(url)]).toEqual([url, true]);
  for (const url of [
    'file:///',
    'file://host/folder',
    '/var/lib/disca',
    's3://',
    's3:///prefix',
    's3://bucket?endpoint=s3.example.com',
    'https://bucket.example.com',
    'recordings',
  ])
    expect([url, isTaken(url)]).toEqual([url, false]);
});
