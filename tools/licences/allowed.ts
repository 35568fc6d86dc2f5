/** Licences that ask for no more than to pass on their text. Whoever adds one has read it. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

/** Of an SPDX expression: one of alternatives is enough, of what is combined all must be. */
export function isAllowed(expression: string): boolean {
  const words = expression.replaceAll(/[()]/g, ' ').trim();
  if (/\sOR\s/.test(words)) return words.split(/\s+OR\s+/).some(isAllowed);
  return words.split(/\s+AND\s+/).every((licence) => allowed.has(licence));
}
