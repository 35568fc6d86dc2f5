import { expect, it } from 'vitest';
import { isAllowed } from '../licences/allowed.ts';

it('accepts a reviewed licence, alone or as one of several alternatives', () => {
  expect(['MIT', '(MIT OR GPL-3.0-only)', 'MIT AND ISC'].filter((licence) => !isAllowed(licence))).toEqual(
    [],
  );
});

it('rejects an unreviewed licence, alone or combined', () => {
  const refused = ['GPL-3.0-only', 'unknown', '', 'MIT AND GPL-3.0-only', 'SEE LICENSE IN LICENSE'];
  expect(refused.filter(isAllowed)).toEqual([]);
});
