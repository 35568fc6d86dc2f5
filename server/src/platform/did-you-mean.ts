import { nearestName } from './filter/index.ts';

/** Returns the sentence that follows "Unknown field `x`.": a suggestion, or else all valid names. */
export function didYouMean(written: string, valid: readonly string[]): string {
  const name = nearestName(written, valid);
  if (name) return ` Did you mean \`${name}\`?`;
  return valid.length > 0 ? ` Valid names: ${valid.map((each) => `\`${each}\``).join(', ')}.` : '';
}
