const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** Generates a password of 92 bits in groups of four, without look-alike characters. */
export function generatePassword(): string {
  const groups = Array.from({ length: 4 }, () => randomLetters(4));
  return groups.join('-');
}

function randomLetters(count: number): string {
  const characters: string[] = [];
  // Rejection sampling: bytes beyond the last whole alphabet would favour some letters.
  const fair = 256 - (256 % letters.length);
  while (characters.length < count) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < fair) characters.push(letters[byte % letters.length] ?? '');
  }
  return characters.join('');
}
