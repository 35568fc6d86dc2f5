export interface SourceText {
  path: string;
  text: string;
}

/** An allowed use of a forbidden word: ordinary English, or a fixed name. */
export interface AllowedUse {
  path: string;
  word: string;
  reason: string;
}

export const words = [
  'told',
  'tells',
  'whoever',
  'somebody',
  'nobody',
  'forsaken',
  'is away',
  'put aside',
  'looked for',
  'waited for',
  'packages of Debian',
  'log-in',
];
const pattern = new RegExp(`(?<![a-z])(?:${words.join('|')})(?![a-z])`, 'gi');

/** Returns one line per use that is not allowed. */
export function findWords(files: SourceText[], allowed: AllowedUse[]): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) =>
      usedWords(line)
        .filter((word) => !allowed.some((use) => use.path === path && use.word === word))
        .map((word) => `${path}:${index + 1}: "${word}": ${line.trim().slice(0, 120)}`),
    ),
  );
}

/** Returns one line per allowance that no file needs any more. */
export function unusedAllowances(files: SourceText[], allowed: AllowedUse[]): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return allowed
    .filter(({ path, word }) => !usedWords(texts.get(path) ?? '').includes(word))
    .map(({ path, word }) => `tools/words/allowed-uses.ts: ${path} does not use "${word}" any more`);
}

const usedWords = (text: string): string[] =>
  Array.from(text.matchAll(pattern), ([word]) => word.toLowerCase());
