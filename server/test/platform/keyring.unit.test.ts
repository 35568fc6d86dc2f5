import { describe, expect, test } from 'vitest';
import { createKeyRing } from '../../src/platform/keyring.ts';

const key = (id: string, byte: number) => ({ id, secret: Buffer.alloc(32, byte) });
const [old, next, foreign] = [key('k1', 1), key('k2', 2), key('k1', 9)];
const before = createKeyRing([old]);
const rotated = createKeyRing([next, old]);
const now = new Date('2026-11-15T12:00:00.000Z');
const later = new Date('2026-11-15T13:00:00.000Z');
const payload = { user: 'u1', email: 'ana@example.com' };

/** Returns the text with another character at one position. */
const altered = (text: string, place: number): string =>
  `${text.slice(0, place)}${text[place] === 'A' ? 'B' : 'A'}${text.slice(place + 1)}`;

describe('key rotation', () => {
  test('keeps everything issued before valid', () => {
    expect(rotated.open('mail', before.seal('mail', 'olá'))).toBe('olá');
    const verified = rotated.verify('reset', before.sign('reset', payload, later), now);
    expect(verified).toEqual({ state: 'valid', payload });
  });

  test('issues with the new key, which a ring that has it second can read', () => {
    const [sealed, signed] = [rotated.seal('mail', 'olá'), rotated.sign('reset', payload, later)];
    expect([sealed, signed].map((text) => text.split('.')[0])).toEqual(['k2', 'k2']);
    const prepared = createKeyRing([old, next]);
    expect(prepared.open('mail', sealed)).toBe('olá');
    expect(prepared.verify('reset', signed, now).state).toBe('valid');
  });

  test('invalidates what a key issued once that key is removed from the ring', () => {
    const after = createKeyRing([next]);
    expect(() => after.open('mail', before.seal('mail', 'olá'))).toThrow('no key "k1"');
    expect(after.verify('reset', before.sign('reset', payload, later), now)).toEqual({ state: 'invalid' });
  });

  test('rejects a ring without a key', () => {
    expect(() => createKeyRing([])).toThrow('empty');
  });
});

describe('signed text', () => {
  const signed = before.sign('reset', payload, later);

  test('is safe in a URL and carries its payload', () => {
    expect(signed).toMatch(/^[\w.-]+$/);
    expect(encodeURIComponent(signed)).toBe(signed);
    expect(before.verify('reset', signed, now)).toEqual({ state: 'valid', payload });
  });

  test('is expired from its expiry time on', () => {
    expect(before.verify('reset', signed, new Date(later.getTime() - 1)).state).toBe('valid');
    expect(before.verify('reset', signed, later)).toEqual({ state: 'expired' });
  });

  test('is invalid when any character is changed', () => {
    for (let place = 0; place < signed.length; place += 1)
      expect([place, before.verify('reset', altered(signed, place), now).state]).toEqual([place, 'invalid']);
  });

  test('is invalid when truncated, extended, empty or signed by another key of the same name', () => {
    const malformed = [
      signed.slice(0, -1),
      `${signed}A`,
      `${signed}.x`,
      '',
      '.',
      '..',
      'k1',
      'k1..',
      'é.é.é',
    ];
    for (const text of [...malformed, createKeyRing([foreign]).sign('reset', payload, later)])
      expect([text, before.verify('reset', text, now).state]).toEqual([text, 'invalid']);
  });

  test('is invalid for another purpose, even when expired', () => {
    expect(before.verify('confirm-email', signed, now)).toEqual({ state: 'invalid' });
    expect(before.verify('confirm-email', signed, later)).toEqual({ state: 'invalid' });
  });

  test('does not take its expiry from its payload', () => {
    const eager = before.sign('reset', { exp: 9e15 }, later);
    expect(before.verify('reset', eager, later).state).toBe('expired');
  });
});

describe('sealed text', () => {
  const sealed = before.seal('mail', 'um segredo');
  const bytes = (part: string) => Buffer.from(part, 'base64url');

  test('hides its content and differs every time', () => {
    expect(bytes(sealed.split('.')[3] ?? '').toString('latin1')).not.toContain('segredo');
    expect(before.seal('mail', 'um segredo')).not.toBe(sealed);
    expect(before.open('mail', before.seal('mail', ''))).toBe('');
  });

  test('does not open when any bit is changed', () => {
    const [id = '', ...parts] = sealed.split('.');
    parts.forEach((part, index) => {
      for (let bit = 0; bit < bytes(part).length * 8; bit += 1) {
        const flipped = bytes(part);
        flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        const text = [id, ...parts.with(index, flipped.toString('base64url'))].join('.');
        expect(() => before.open('mail', text)).toThrow();
      }
    });
  });

  test('does not open with a shorter tag, another key of the same name or for another purpose', () => {
    const [id, iv, tag = '', body] = sealed.split('.');
    for (const length of [0, 4, 8, 12, 15]) {
      const cut = bytes(tag).subarray(0, length).toString('base64url');
      expect(() => before.open('mail', [id, iv, cut, body].join('.'))).toThrow();
    }
    expect(() => createKeyRing([foreign]).open('mail', sealed)).toThrow();
    expect(() => before.open('senha', sealed)).toThrow();
    expect(() => before.open('mail', before.sign('mail', payload, later))).toThrow();
  });
});
