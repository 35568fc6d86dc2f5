import { describe, expect, test } from 'vitest';
import { didYouMean } from '../../src/platform/did-you-mean.ts';
import { nearestName } from '../../src/platform/filter/index.ts';

const fields = ['uuid', 'name', 'email', 'phone', 'emailVerified', 'createdAt', 'organization_name'];

describe('nearest name', () => {
  test.each([
    ['emial', 'email'],
    ['EMAIL', 'email'],
    ['e-mail', 'email'],
    ['emailverified', 'emailVerified'],
    ['email_verified', 'emailVerified'],
    ['created_at', 'createdAt'],
    ['organizationName', 'organization_name'],
    ['fone', 'phone'],
  ])('for %s is %s', (written, meant) => {
    expect(nearestName(written, fields)).toBe(meant);
  });

  test.each(['zzzz', 'x', '', 'balanceLowThreshold', 'a'.repeat(10_000)])('for %s is none', (written) => {
    expect(nearestName(written, fields)).toBeUndefined();
  });

  test('is none without candidates', () => {
    expect(nearestName('email', [])).toBeUndefined();
  });
});

describe('sentence after an unknown name', () => {
  test('suggests the nearest one', () => {
    expect(didYouMean('emial', fields)).toBe(' Did you mean `email`?');
  });

  test('lists all names when none is near, and is empty without names', () => {
    expect(didYouMean('zzzz', ['ttl', 'id'])).toBe(' Valid names: `ttl`, `id`.');
    expect(didYouMean('zzzz', [])).toBe('');
  });
});
