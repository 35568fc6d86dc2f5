import type { Fault } from '../../../platform/errors.ts';

/** What people wrote about a call. */
export interface CallNote {
  disposition: string | null;
  note: string | null;
  tags: string[];
}

export const noNote: CallNote = { disposition: null, note: null, tags: [] };

export const noteFields = ['disposition', 'note', 'tags'] as const;

/** Returns the note as it is stored: an empty text is none, and tags are in lower case, each once. */
export const tidy = ({ disposition, note, tags }: CallNote): CallNote => ({
  disposition: disposition || null,
  note: note || null,
  tags: [...new Set(tags.map((tag) => tag.toLowerCase()))],
});

/** Removed dispositions stay with the calls that have them. */
export function faultOfDisposition(
  { disposition }: CallNote,
  before: CallNote,
  names: readonly string[],
): Fault | undefined {
  if (disposition === null || disposition === before.disposition || names.includes(disposition))
    return undefined;
  const message = '`disposition` must be one of `GET /dispositions`.';
  return { path: 'disposition', code: 'unknown', message };
}

export const isSame = (one: CallNote, other: CallNote): boolean =>
  noteFields.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
