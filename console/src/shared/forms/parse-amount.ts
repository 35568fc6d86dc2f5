/**
 * Parses a money amount with comma or point as decimal or thousands separator. Money has at most two decimals, so a
 * separator followed by three digits separates thousands. Returns -1 for invalid text, which the API rejects.
 */
export function parseAmount(text: string): number {
  const written = text.replace(/^R\$/, '').trim();
  const thousands = /^[1-9]\d{0,2}(?:(?:\.\d{3})+(?:,\d{1,2})?|(?:,\d{3})+(?:\.\d{1,2})?)$/;
  if (thousands.test(written)) {
    const [, whole = '', decimals = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(written) ?? [];
    return Number(`${whole.replaceAll(/\D/g, '')}.${decimals}`);
  }
  return /^\d+(?:[.,]\d{1,2})?$/.test(written) ? Number(written.replace(',', '.')) : -1;
}
