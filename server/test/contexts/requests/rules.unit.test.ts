import { expect, test } from 'vitest';
import { fieldNames, isRecorded } from '../../../src/contexts/requests/request.rules.ts';

const read = { method: 'GET', status: 200, ignoredFields: undefined };

test('REQLOG-01 errors, writes and ignored fields are recorded, other reads are not', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    expect(isRecorded({ ...read, method })).toBe(false);
    expect(isRecorded({ ...read, method, ignoredFields: [] })).toBe(false);
    expect(isRecorded({ ...read, method, status: 302 })).toBe(false);
    expect(isRecorded({ ...read, method, status: 400 })).toBe(true);
    expect(isRecorded({ ...read, method, ignoredFields: ['nome'] })).toBe(true);
  }
  for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) expect(isRecorded({ ...read, method })).toBe(true);
});

test('REQLOG-02 at most 20 field names are stored, and long parts are redacted', () => {
  expect(fieldNames(undefined)).toBeNull();
  expect(fieldNames([])).toBeNull();
  expect(fieldNames(Array.from({ length: 500 }, (_, n) => `field${n}`))).toHaveLength(20);
  expect(fieldNames(['metadata.deal', `metadata.${'a'.repeat(40)}`, `metadata.${'t'.repeat(41)}.x`])).toEqual(
    ['metadata.deal', `metadata.${'a'.repeat(40)}`, 'metadata.[redacted].x'],
  );
  expect(fieldNames(['a'.repeat(41), 'b'.repeat(50)])).toEqual(['[redacted]']);
  expect(fieldNames([Array.from({ length: 100 }, () => 'abcdefgh').join('.')])?.[0]).toHaveLength(200);
});

test('REQLOG-02 characters that PostgreSQL rejects are replaced in field names', () => {
  expect(fieldNames(['a\u0000b', 'c\ud800'])).toEqual(['a\ufffdb', 'c\ufffd']);
});
