/** The valid name that is closest to what was written, if it is close enough to have been meant. */
export function nearest(written: string, valid: readonly string[]): string | undefined {
  const wanted = written.slice(0, 64).toLowerCase();
  let best: { name: string; distance: number } | undefined;
  for (const name of valid) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (!best || distance < best.distance) best = { name, distance };
  }
  return best && best.distance <= Math.max(2, Math.ceil(best.name.length / 2)) ? best.name : undefined;
}

/** The sentence that follows "Unknown field `x`.": a suggestion, or else the whole choice. */
export function didYouMean(written: string, valid: readonly string[]): string {
  const name = nearest(written, valid);
  if (name) return ` Did you mean \`${name}\`?`;
  return valid.length > 0 ? ` Valid are ${valid.map((each) => `\`${each}\``).join(', ')}.` : '';
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
