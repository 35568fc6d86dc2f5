import { z } from 'zod';
import { wallTime } from './time.ts';

/** `standard` follows RFC 4180; `excel-br` opens in Excel and LibreOffice with Brazilian settings. */
const csvFormats = ['standard', 'excel-br'] as const;
export type CsvFormat = (typeof csvFormats)[number];

export const csvFormat = z.enum(csvFormats).optional();

type Cell = string | number | null | undefined;

const styles = {
  standard: { separator: ',', special: /[",\r\n]/, decimal: '.' },
  'excel-br': { separator: ';', special: /[";\r\n]/, decimal: ',' },
};

/** Byte order mark, by which Excel recognises UTF-8. */
const byteOrderMark = '\uFEFF';

/** Returns the header line, after the byte order mark if the format has one. */
export const csvHeader = (titles: readonly string[], format: CsvFormat = 'standard'): string =>
  `${format === 'excel-br' ? byteOrderMark : ''}${csvLine(titles, format)}`;

/** Returns one line. Text that a spreadsheet would read as a formula is escaped. */
export function csvLine(values: readonly Cell[], format: CsvFormat = 'standard'): string {
  const { separator, special, decimal } = styles[format];
  const cell = (value: Cell): string => {
    if (value === null || value === undefined) return '';
    if (typeof value === 'number') return String(value).replace('.', decimal);
    const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return `${values.map(cell).join(separator)}\r\n`;
}

/** Returns a time as Brazilian spreadsheets read it, `18/11/2026 20:31:06`, in a time zone. */
export function excelTime(at: string | null, timeZone: string): string {
  if (at === null) return '';
  const [day = '', time = ''] = wallTime(new Date(at), timeZone).split(' ');
  return `${day.split('-').toReversed().join('/')} ${time}`;
}

const longExtension = 8;

/**
 * Returns a number as text that a spreadsheet does not round: `(11) 98765-4321`, or foreign numbers with country code
 * after 00. Extensions stay as they are.
 */
export function excelPhone(digits: string): string {
  const brazilian = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(digits);
  if (brazilian) return `(${brazilian[1]}) ${brazilian[2]}-${brazilian[3]}`;
  return digits.length > longExtension && /^\d+$/.test(digits) ? `00 ${digits}` : digits;
}
