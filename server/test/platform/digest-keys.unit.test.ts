import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createDigestKeys } from '../../src/platform/digest-keys.ts';

const [old, next] = [
  { id: 'k1', secret: 'a'.repeat(32) },
  { id: 'k2', secret: 'b'.repeat(64) },
];
const keys = createDigestKeys([next, old]);
const identity = { username: '1000', domain: 'acme.example' };
const ha1 = createHash('md5').update('1000:acme.example:segredo').digest('hex');

test('REST-01 a sealed HA1 opens with its key, and is different every time', () => {
  const sealed = [keys.seal('k2', identity, ha1), keys.seal('k2', identity, ha1)];
  expect(new Set(sealed).size).toBe(2);
  for (const text of sealed) {
    expect(text).toMatch(/^k2\.[A-Za-z0-9+/]+={0,2}$/);
    expect(text).not.toContain(ha1);
    expect(keys.open(identity, text)).toBe(ha1);
  }
  expect(keys.open(identity, createDigestKeys([old]).seal('k1', identity, ha1))).toBe(ha1);
});

test('REST-01 a sealed HA1 does not open for another extension or domain', () => {
  const sealed = keys.seal('k2', identity, ha1);
  for (const other of [
    { ...identity, username: '1001' },
    { ...identity, domain: 'other.example' },
  ])
    expect(() => keys.open(other, sealed)).toThrow();
});

test('an unknown key is named, and nothing is sealed with one', () => {
  const single = createDigestKeys([old]);
  expect(() => single.open(identity, keys.seal('k2', identity, ha1))).toThrow('no key "k2"');
  expect(() => single.seal('k2', identity, ha1)).toThrow('no key "k2"');
});
