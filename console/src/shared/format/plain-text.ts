/** Strips accents and case, so that `iris` matches `Íris`. */
export const plainText = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Whether every word of the search is part of one of the texts. */
export const matchesWords = (search: string, texts: string[]): boolean =>
  plainText(search)
    .split(/\s+/)
    .every((word) => texts.some((text) => plainText(text).includes(word)));
