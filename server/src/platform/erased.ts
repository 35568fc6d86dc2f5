/** The data subject of an erasure request. The number is digits only, with country code. */
export type Person = { phone: string } | { email: string };

/** Replaces erased personal data. */
export const erasedText = 'erased';

/** Returns the text to search for, ignoring case, to find mentions of the person. */
export const searchText = (person: Person): string =>
  ('phone' in person ? person.phone : person.email).toLowerCase();
