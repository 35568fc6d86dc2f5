/**
 * An amount as people write it, with a comma or a point, for thousands as well as for decimals. Money has two decimals
 * at most, so what three digits follow are thousands. What is no amount is -1, which the API refuses.
 */
export function amountOf(text: string): number {
  const written = text.replace(/^R\$/, '').trim();
  const thousands = /^[1-9]\d{0,2}(?:(?:\.\d{3})+(?:,\d{1,2})?|(?:,\d{3})+(?:\.\d{1,2})?)$/;
  if (thousands.test(written)) {
    const [, whole = '', decimals = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(written) ?? [];
    return Number(`${whole.replaceAll(/\D/g, '')}.${decimals}`);
  }
  return /^\d+(?:[.,]\d{1,2})?$/.test(written) ? Number(written.replace(',', '.')) : -1;
}
