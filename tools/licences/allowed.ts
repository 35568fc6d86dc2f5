/** Licences that only require their text to be included. Read a licence before adding it. */
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
  'OFL-1.1',
  'Unlicense',
]);

/** Evaluates an SPDX expression: OR needs one allowed licence, AND needs all. */
export function isAllowed(expression: string): boolean {
  const words = expression.replaceAll(/[()]/g, ' ').trim();
  if (/\sOR\s/.test(words)) return words.split(/\s+OR\s+/).some(isAllowed);
  return words.split(/\s+AND\s+/).every((licence) => allowed.has(licence));
}
