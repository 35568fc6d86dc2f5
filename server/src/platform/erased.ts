/** Somebody whose data is to be erased, by what is known of them. A number has its country code and is digits only. */
export type Person = { phone: string } | { email: string };

/** Stands where a person's data stood. */
export const erased = 'erased';

/** What every text about them has in common; compared without regard to case. */
export const wordOf = (person: Person): string =>
  ('phone' in person ? person.phone : person.email).toLowerCase();
