const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** A password that nobody has to think of, without characters that look alike: 92 bits in groups of four. */
export function newPassword(): string {
  const groups = Array.from({ length: 4 }, () => randomLetters(4));
  return groups.join('-');
}

function randomLetters(count: number): string {
  const made: string[] = [];
  // What lies beyond the last whole alphabet is thrown away, or some letters would come more often.
  const fair = 256 - (256 % letters.length);
  while (made.length < count) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < fair) made.push(letters[byte % letters.length] ?? '');
  }
  return made.join('');
}
