import { expect, it } from 'vitest';
import { isAllowed } from '../licences/allowed.ts';

it('takes a licence that was looked at, and one of alternatives', () => {
  expect(['MIT', '(MIT OR GPL-3.0-only)', 'MIT AND ISC'].filter((licence) => !isAllowed(licence))).toEqual(
    [],
  );
});

it('refuses a licence that nobody has looked at, alone or combined', () => {
  const refused = ['GPL-3.0-only', 'unknown', '', 'MIT AND GPL-3.0-only', 'SEE LICENSE IN LICENSE'];
  expect(refused.filter(isAllowed)).toEqual([]);
});
