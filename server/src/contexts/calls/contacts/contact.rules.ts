import type { Fault } from '../../../platform/errors.ts';
import { phoneFault, readPhone } from '../../../platform/phone.ts';
import type { ContactText } from './contact.ts';

/** Characters of a name or a deal. */
export const longestText = 200;

/** One line of text that can be stored and printed. */
const printable = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u;

/** A row of an import, as it was sent. */
export interface ContactRow {
  number: string;
  name?: string | null | undefined;
  deal?: string | null | undefined;
}

/** Returns the fault of a contact without name and deal. */
export function faultOfText({ name, deal }: Pick<ContactText, 'name' | 'deal'>): Fault | undefined {
  if (name !== null || deal !== null) return undefined;
  return { path: 'name', code: 'required', message: 'A contact needs a name or a deal.' };
}

/** Reads a row of an import. `taken` are the numbers of the rows before. */
export function readRow(row: ContactRow, taken: ReadonlySet<string>): ContactText | Fault {
  const reading = readPhone(row.number);
  if (reading.kind !== 'number') return { path: 'number', ...phoneFault(reading) };
  if (taken.has(reading.digits))
    return { path: 'number', code: 'duplicate', message: 'is in an earlier row too' };
  const text = { number: reading.digits, name: row.name?.trim() || null, deal: row.deal?.trim() || null };
  return faultOfField('name', text.name) ?? faultOfField('deal', text.deal) ?? faultOfText(text) ?? text;
}

function faultOfField(path: string, text: string | null): Fault | undefined {
  if (text === null) return undefined;
  if (text.length > longestText)
    return { path, code: 'too_big', message: `must have at most ${longestText} characters` };
  if (!printable.test(text)) return { path, code: 'invalid_format', message: 'must be one line of text' };
  return undefined;
}

export const isFault = (read: ContactText | Fault): read is Fault => 'path' in read;

export const isSameText = (one: ContactText, other: ContactText): boolean =>
  one.name === other.name && one.deal === other.deal;
