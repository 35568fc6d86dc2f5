import { Refusal } from '../../../platform/errors.ts';
import { isUuid } from '../../../platform/ids.ts';
import { contactReadings, searchedDigits } from '../../../platform/phone.ts';
import { chunksOf, shorten } from './words.rules.ts';

/** A word of a search. A call matches if one of its words begins with one of the prefixes, or it has the id. */
export interface Term {
  prefixes: string[];
  id: string | undefined;
}

const maxTerms = 8;

/** Returns the terms of a search; a call must match all of them. */
export function termsOf(text: string): Term[] {
  const terms = phrasesOf(text).flatMap(termsOfPhrase);
  const distinct = [...new Map(terms.map((term) => [term.prefixes.join(' '), term])).values()];
  if (distinct.length <= maxTerms) return distinct;
  const message = `must have at most ${maxTerms} words`;
  throw new Refusal('VALIDATION_ERROR', `\`q\` ${message}.`, {
    details: [{ path: 'q', code: 'too_many_words', message }],
  });
}

const numberPart = /^[+(]*\d[\d().+/-]*$/;

/** Splits a text at spaces, except inside a number such as `+55 (11) 98765-4321`. */
function phrasesOf(text: string): string[] {
  const runs: string[][] = [];
  let isNumber = false;
  for (const chunk of text.split(/\s+/).filter((each) => each !== '')) {
    const continues = isNumber && numberPart.test(chunk);
    isNumber = numberPart.test(chunk);
    if (continues) runs.at(-1)?.push(chunk);
    else runs.push([chunk]);
  }
  return runs.flatMap((run) => (isWholeNumber(run.join('')) ? [run.join(' ')] : run));
}

/**
 * Tests whether digits with spaces are one number, perhaps incomplete. Others are separate words, such as an extension
 * and a deal.
 */
function isWholeNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  if (!/^\d{8,15}$/.test(digits)) return false;
  return digits.length <= longestNational || /^(?:\+|0|55)/.test(text) || contactReadings(text).length > 0;
}

/** Area code and mobile number in Brazil. */
const longestNational = 11;

function termsOfPhrase(phrase: string): Term[] {
  if (isUuid(phrase)) return [{ prefixes: [phrase.toLowerCase()], id: phrase.toLowerCase() }];
  const words = chunksOf(phrase).map(shorten);
  if (!isNumberText(phrase)) return words.map((word) => ({ prefixes: [word], id: undefined }));
  // A 0 before the area code, or 00 before the country code, is not stored.
  const digits = phrase.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  const numbers = searchedDigits(phrase).filter((each) => /^\d+$/.test(each));
  return [{ prefixes: shortest([digits, ...numbers, ...(words.length === 1 ? words : [])]), id: undefined }];
}

const isNumberText = (phrase: string): boolean =>
  /^tel:/i.test(phrase) || phrase.split(' ').every((chunk) => numberPart.test(chunk));

/** Drops prefixes that another one includes. */
const shortest = (prefixes: string[]): string[] =>
  [...new Set(prefixes)].filter(
    (prefix, _, all) => !all.some((other) => other !== prefix && prefix.startsWith(other)),
  );
