import { describe, expect, test } from 'vitest';
import { isUuid, uuidv7 } from '../../src/platform/ids.ts';

describe('UUIDv7', () => {
  test('has the version, variant and time at their positions', () => {
    const at = new Date('2026-11-15T12:34:56.789Z');
    const id = uuidv7(at);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(at.getTime());
  });

  test('sorts as text by creation time, from 1970 to beyond 2200', () => {
    const times = [
      0,
      1,
      255,
      256,
      1e9,
      1e12,
      Date.UTC(2026, 10, 15),
      Date.UTC(2026, 10, 15) + 1,
      Date.UTC(2200, 0),
    ];
    const ids = times.map((time) => uuidv7(new Date(time)));
    expect(ids.toSorted()).toEqual(ids);
  });

  test('is unique within a millisecond', () => {
    const at = new Date();
    expect(new Set(Array.from({ length: 10_000 }, () => uuidv7(at))).size).toBe(10_000);
  });
});

describe('UUID syntax', () => {
  test.each([uuidv7(new Date()), '019A8F00-0000-7000-8000-00000000000F'])('accepts %s', (text) => {
    expect(isUuid(text)).toBe(true);
  });

  test.each([
    '',
    'not-a-uuid',
    '019a8f00000070008000000000000000',
    '019a8f00-0000-7000-8000-00000000000g',
    '\0',
  ])('rejects %j', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});
