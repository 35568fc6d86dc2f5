/** Combining accents, which decomposed text has after its letters. */
const accents = /[\u0300-\u036f]/g;

/** Returns a text without accents and in lower case. */
export const fold = (text: string): string => text.normalize('NFD').replace(accents, '').toLowerCase();
