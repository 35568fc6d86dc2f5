/** Quotes a CSV value and escapes leading characters that spreadsheets read as a formula. */
export function csvCell(value: string | number | null | undefined): string {
  const text = String(value ?? '');
  const harmless = /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
