/** Formats `5511987654321` as `+55 11 98765-4321`. Foreign numbers are not grouped. */
export function formatPhone(digits: string): string {
  const brazilian = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(digits);
  if (brazilian) return `+55 ${brazilian[1]} ${brazilian[2]}-${brazilian[3]}`;
  return /^\d{9,15}$/.test(digits) ? `+${digits}` : digits;
}
