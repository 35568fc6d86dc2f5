import { matchesWords } from '../../shared/format/plain-text.ts';
import { toSearchValue } from '../../shared/format/search-value.ts';
import type { Extension } from './queries.ts';

/** State of the screen, stored in the URL. */
export interface ExtensionsView {
  /** Number of the extension that is open next to the list. */
  ramal?: string;
  find?: string;
  presence?: 'registered' | 'missing';
  recording?: 'on' | 'off';
  /** Non-ADMINs see their own extensions unless this is set. */
  whose?: 'all';
}

/** Changes to a view; undefined removes a value. */
export type ViewChange = { [Name in keyof ExtensionsView]?: ExtensionsView[Name] | undefined };

/** Change that clears all filters. */
export const clearedFilters = {
  ramal: undefined,
  find: undefined,
  presence: undefined,
  recording: undefined,
  whose: undefined,
} satisfies Record<keyof ExtensionsView, undefined>;

const oneOf = <Value extends string>(text: string, values: readonly Value[]): Value | undefined =>
  values.find((value) => value === text);

export function parseView(search: Record<string, unknown>): ExtensionsView {
  const text = (name: keyof ExtensionsView): string => {
    const value = search[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const presence = oneOf(text('presence'), ['registered', 'missing'] as const);
  const recording = oneOf(text('recording'), ['on', 'off'] as const);
  return {
    ...(/^\d{1,8}$/.test(text('ramal')) && { ramal: text('ramal') }),
    ...(text('find') !== '' && { find: text('find').slice(0, 100) }),
    ...(presence && { presence }),
    ...(recording && { recording }),
    ...(text('whose') === 'all' && { whose: 'all' as const }),
  };
}

export const toSearch = (view: ViewChange): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(view)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [name, toSearchValue(String(value))]),
  );

export const validateSearch = (search: Record<string, unknown>): Record<string, string | number> =>
  toSearch(parseView(search));

export const fullName = ({ first_name, last_name }: Pick<Extension, 'first_name' | 'last_name'>): string =>
  [first_name, last_name].filter(Boolean).join(' ');

export function matches(extension: Extension, view: ExtensionsView): boolean {
  const { presence, recording, find = '' } = view;
  if (presence && extension.registered !== (presence === 'registered')) return false;
  if (recording && Boolean(extension.gravar_audio) !== (recording === 'on')) return false;
  const { ramal, email_address, user } = extension;
  const texts = [ramal, fullName(extension), email_address, user?.name ?? '', user?.email ?? ''];
  return matchesWords(find, texts);
}

/** Sorts numerically: 99 comes before 1000. */
export const byRamal = (a: Extension, b: Extension): number =>
  a.ramal.length - b.ramal.length || a.ramal.localeCompare(b.ramal);
