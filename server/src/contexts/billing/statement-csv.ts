const columns = [
  'id',
  'number',
  'createdAt',
  'type',
  'reference',
  'description',
  'amount',
  'balance',
] as const;

type Line = Partial<Record<(typeof columns)[number], string | number>>;

/** RFC 4180. A text that a spreadsheet would take for a formula is marked as text. */
export function statementCsv(lines: Line[]): string {
  const rows = lines.map((line) => columns.map((column) => cell(line[column] ?? '')).join(','));
  return `${[columns.join(','), ...rows].join('\r\n')}\r\n`;
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
