/** Formats `5511987654321` as `+55 11 98765-4321`. Foreign numbers are not grouped. */
export function formatPhone(digits: string): string {
  const brazilian = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(digits);
  if (brazilian) return `+55 ${brazilian[1]} ${brazilian[2]}-${brazilian[3]}`;
  return /^\d{9,15}$/.test(digits) ? `+${digits}` : digits;
}

/** Returns a formatted number for running text, which does not break lines within it. */
export const unbroken = (phone: string): string => phone.replaceAll(' ', '\u00a0').replace('-', '-\u2060');

/** Formats the prefix `55119` as country code, area code and start of the number, on one line. */
export const formatPrefix = (prefix: string): string =>
  [prefix.slice(0, 2), prefix.slice(2, 4), prefix.slice(4)].filter(Boolean).join('\u00a0');
