import { type CallsSearch, type CallsView, parseView, toSearch } from '../view.ts';

/** A named view of the list. */
export interface SavedView {
  name: string;
  search: CallsSearch;
}

export const maxViews = 20;
export const longestName = 40;

const storageKey = (userUuid: string): string => `disca.calls.views.${userUuid}`;

/** Returns what a view selects: its search, period, filters and order, without the open call. */
export const selectionOf = ({ call: _, ...view }: CallsView): CallsSearch => toSearch(view);

const textOf = (search: CallsSearch): string =>
  Object.entries(search)
    .map((parameter) => JSON.stringify(parameter))
    .sort()
    .join();
export const isSameSelection = (one: CallsSearch, other: CallsSearch): boolean =>
  textOf(one) === textOf(other);

/** Reads the views of a user from this browser. Entries that are not valid are dropped. */
export function readViews(userUuid: string): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(userUuid)) ?? '[]');
    return Array.isArray(stored) ? stored.flatMap(parseStored).slice(0, maxViews) : [];
  } catch {
    return [];
  }
}

export const writeViews = (userUuid: string, views: SavedView[]): void =>
  localStorage.setItem(storageKey(userUuid), JSON.stringify(views));

function parseStored(entry: unknown): SavedView[] {
  const { name, search } = (entry ?? {}) as Record<string, unknown>;
  const isValid = typeof name === 'string' && name !== '' && typeof search === 'object' && search !== null;
  return isValid ? [{ name: name.slice(0, longestName), search: selectionOf(parseView({ ...search })) }] : [];
}

/** Adds a view, or replaces the one with the same name. */
export function withView(views: SavedView[], saved: SavedView): SavedView[] {
  const place = views.findIndex(({ name }) => name === saved.name);
  return place === -1 ? [...views, saved].slice(0, maxViews) : views.with(place, saved);
}

/** Renames a view; another one with the new name is replaced. */
export const withName = (views: SavedView[], from: string, to: string): SavedView[] =>
  views
    .filter(({ name }) => name === from || name !== to)
    .map((view) => (view.name === from ? { ...view, name: to } : view));
