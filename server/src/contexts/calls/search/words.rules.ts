import { fold } from '../../../platform/fold.ts';
import { contactReadings } from '../../../platform/phone.ts';

/** The fields of a call by which it is found. None of them changes while it runs or when it ends. */
export interface SearchableCall {
  from: string;
  to: string;
  bina: string | null;
  email: string;
  first_name: string;
  last_name: string;
  metadata: unknown;
}

/** Words of one call; metadata of 16 kB may contain thousands. */
const maxWords = 100;
/** Letters of a word that are stored and compared. */
const maxWordLength = 64;

/**
 * Returns the words by which a call is found, folded. A change of these rules requires that all calls are indexed again:
 * the terms of a search follow the same rules.
 */
export function wordsOf(call: SearchableCall): string[] {
  const own = [
    ...numberWords(call.to),
    ...numberWords(call.from),
    // The number of the account itself, on almost every call: not in further notations.
    ...textWords(call.bina ?? ''),
    ...textWords(call.first_name),
    ...textWords(call.last_name),
    ...textWords(call.email, { withDomain: false }),
  ];
  const words = new Set(own);
  for (const value of valuesIn(call.metadata)) {
    if (words.size >= maxWords) break;
    for (const word of valueWords(value)) words.add(word);
  }
  return [...words].slice(0, maxWords);
}

/** A Brazilian number is also found without its country code, and without its area code. */
function numberWords(number: string): string[] {
  if (!/^\d+$/.test(number)) return textWords(number);
  const [, national, local] = brazilianNumber.exec(number) ?? [];
  return [number, national, local].filter((word) => word !== undefined);
}

const brazilianNumber = /^55(\d\d(\d{8,9}))$/;

const valueWords = (value: string): string[] => [
  ...textWords(value),
  ...(/\d{4}/.test(value) ? contactReadings(value).flatMap(numberWords) : []),
];

/** Returns the texts and numbers in metadata, at any depth. */
function* valuesIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number') yield String(value);
  else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) yield* valuesIn(each);
  }
}

/** Returns the words between spaces and, if punctuation separates parts of a word, the parts. */
const textWords = (text: string, { withDomain = true } = {}): string[] =>
  chunksOf(text)
    .flatMap((chunk) => partsOf(chunk, withDomain))
    .map(shorten);

/** Returns the words between spaces, folded, without punctuation around them. */
export const chunksOf = (text: string): string[] =>
  fold(text)
    .split(/\s+/)
    .map((chunk) => chunk.replace(outerPunctuation, ''))
    .filter((chunk) => chunk !== '');

const outerPunctuation = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu;

/** `ana.lima@empresa.com` is also found by `lima` and `empresa.com`, but not by `com`. */
function partsOf(chunk: string, withDomain: boolean): string[] {
  const [local = '', domain] = chunk.split('@');
  const parts = local.split(/[^\p{L}\p{N}\p{M}]+/u).filter((part) => part !== '');
  return [chunk, ...parts, ...(domain && withDomain ? [domain] : [])];
}

export const shorten = (word: string): string =>
  word.length <= maxWordLength ? word : Array.from(word).slice(0, maxWordLength).join('');
