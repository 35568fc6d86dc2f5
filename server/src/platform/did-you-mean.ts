import { nearestName } from './filter/index.ts';

/** The sentence that follows "Unknown field `x`.": a suggestion, or else the whole choice. */
export function didYouMean(written: string, valid: readonly string[]): string {
  const name = nearestName(written, valid);
  if (name) return ` Did you mean \`${name}\`?`;
  return valid.length > 0 ? ` Valid are ${valid.map((each) => `\`${each}\``).join(', ')}.` : '';
}
