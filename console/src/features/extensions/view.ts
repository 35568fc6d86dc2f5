import type { Extension } from './queries.ts';

/** What is looked at, as the address keeps it. */
export interface ExtensionsView {
  /** The extension that is open beside the list, by its number. */
  ramal?: string;
  find?: string;
  presence?: 'registered' | 'missing';
  recording?: 'on' | 'off';
  /** Somebody who is no administrator sees the own extensions unless all are asked for. */
  whose?: 'all';
}

/** What changes of a view; what is undefined goes. */
export type ViewChange = { [Name in keyof ExtensionsView]?: ExtensionsView[Name] | undefined };

/** The change after which everything is looked at. */
export const everything = {
  ramal: undefined,
  find: undefined,
  presence: undefined,
  recording: undefined,
  whose: undefined,
} satisfies Record<keyof ExtensionsView, undefined>;

const oneOf = <Value extends string>(text: string, values: readonly Value[]): Value | undefined =>
  values.find((value) => value === text);

export function viewOf(search: Record<string, unknown>): ExtensionsView {
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

/** Digits are written as a number, for a text that looks like one would be put in quotes. */
export const plainest = (text: string): string | number =>
  String(Number(text)) === text ? Number(text) : text;

export const searchOf = (view: ViewChange): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(view)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [name, plainest(String(value))]),
  );

export const keptSearch = (search: Record<string, unknown>): Record<string, string | number> =>
  searchOf(viewOf(search));

/** Without accents and case, so that `iris` finds `Íris`. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

export const nameOf = ({ first_name, last_name }: Pick<Extension, 'first_name' | 'last_name'>): string =>
  [first_name, last_name].filter(Boolean).join(' ');

export function matches(extension: Extension, view: ExtensionsView): boolean {
  const { presence, recording, find = '' } = view;
  if (presence && extension.registered !== (presence === 'registered')) return false;
  if (recording && Boolean(extension.gravar_audio) !== (recording === 'on')) return false;
  const { ramal, email_address, user } = extension;
  const texts = [ramal, nameOf(extension), email_address, user?.name ?? '', user?.email ?? ''];
  return plain(find)
    .split(/\s+/)
    .every((word) => texts.some((text) => plain(text).includes(word)));
}

/** By number, as people count: 99 comes before 1000. */
export const byRamal = (a: Extension, b: Extension): number =>
  a.ramal.length - b.ramal.length || a.ramal.localeCompare(b.ramal);
