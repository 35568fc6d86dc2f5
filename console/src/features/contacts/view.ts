import { toSearchValue } from '../../shared/format/search-value.ts';

/** State of the screen, stored in the URL. */
export interface ContactsView {
  /** Words to search for. */
  q?: string;
  /** Id of the contact that is open next to the list. */
  contact?: string;
}

/** Changes to a view; undefined removes a value. */
export type ViewChange = { [Name in keyof ContactsView]?: ContactsView[Name] | undefined };

/** The longest search that the API accepts. */
export const maxSearchLength = 200;

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

export function parseView({ q, contact }: Record<string, unknown>): ContactsView {
  const text = typeof q === 'string' || typeof q === 'number' ? String(q).trim() : '';
  return {
    ...(text !== '' && { q: text.slice(0, maxSearchLength) }),
    ...(typeof contact === 'string' && isUuid(contact) && { contact }),
  };
}

export const toSearch = (view: ViewChange): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(view)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [name, toSearchValue(String(value))]),
  );

/** Removes invalid search parameters. */
export const validateSearch = (search: Record<string, unknown>): Record<string, string | number> =>
  toSearch(parseView(search));
