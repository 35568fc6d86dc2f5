import { describe, expect, test } from 'vitest';
import { didYouMean } from '../../src/platform/did-you-mean.ts';
import { nearestName } from '../../src/platform/filter/index.ts';

const fields = ['uuid', 'name', 'email', 'phone', 'emailVerified', 'createdAt', 'organization_name'];

describe('the nearest name', () => {
  test.each([
    ['emial', 'email'],
    ['EMAIL', 'email'],
    ['e-mail', 'email'],
    ['emailverified', 'emailVerified'],
    ['email_verified', 'emailVerified'],
    ['created_at', 'createdAt'],
    ['organizationName', 'organization_name'],
    ['fone', 'phone'],
  ])('of %s is %s', (written, meant) => {
    expect(nearestName(written, fields)).toBe(meant);
  });

  test.each(['zzzz', 'x', '', 'balanceLowThreshold', 'a'.repeat(10_000)])('of %s is none', (written) => {
    expect(nearestName(written, fields)).toBeUndefined();
  });

  test('is none where there is nothing to choose from', () => {
    expect(nearestName('email', [])).toBeUndefined();
  });
});

describe('the sentence after an unknown name', () => {
  test('suggests the nearest one', () => {
    expect(didYouMean('emial', fields)).toBe(' Did you mean `email`?');
  });

  test('tells the whole choice when none is near, and nothing when there is none', () => {
    expect(didYouMean('zzzz', ['ttl', 'id'])).toBe(' Valid names: `ttl`, `id`.');
    expect(didYouMean('zzzz', [])).toBe('');
  });
});
