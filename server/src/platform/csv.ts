/** Returns one RFC 4180 line. Text that a spreadsheet would read as a formula is escaped. */
export const csvLine = (values: readonly (string | number | null | undefined)[]): string =>
  `${values.map(cell).join(',')}\r\n`;

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
