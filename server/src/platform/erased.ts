import { spellingsOf } from './phone.ts';

/** The data subject of an erasure request. The number is digits only, with country code. */
export type Person = { phone: string } | { email: string };

/** Replaces erased personal data. */
export const erasedText = 'erased';

/** Returns the text to search for, ignoring case, to find mentions of the person. */
export const searchText = (person: Person): string =>
  ('phone' in person ? person.phone : person.email).toLowerCase();

/** Returns a regular expression of PostgreSQL that finds the person in free text, ignoring case. */
export const mentionOf = (person: Person): string =>
  'phone' in person
    ? `(?<![0-9])(?:${spellingsOf(person.phone).map(separated).join('|')})(?![0-9])`
    : `(?<![a-z0-9._%+-])${literal(person.email)}(?![a-z0-9-]|\\.[a-z0-9])`;

/** Matches digits as people and programs write them: +55 (11) 98765-4321. */
const separated = (digits: string): string => [...digits].join('[ ().+/-]{0,3}');

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
