import { matchesWords } from '../../shared/format/plain-text.ts';
import type { User } from './queries.ts';

/** State of the screen, stored in the URL. */
export interface PeopleView {
  /** UUID of the user that is open next to the list. */
  person?: string;
  find?: string;
  role?: 'ADMIN' | 'USER';
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

export function validateSearch(search: Record<string, unknown>): PeopleView {
  const { person, find, role } = search;
  return {
    ...(typeof person === 'string' && isUuid(person) && { person }),
    ...((typeof find === 'string' || typeof find === 'number') && find !== '' && { find: String(find) }),
    ...((role === 'ADMIN' || role === 'USER') && { role }),
  };
}

export const matches = (user: User, { find = '', role }: PeopleView): boolean =>
  (role === undefined || user.role === role) && matchesWords(find, [user.name, user.email, user.phone]);
