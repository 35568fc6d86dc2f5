/** An amount as people write it, with a comma or a point; what is no number is refused by the API. */
export function amountOf(text: string): number {
  const number = Number(text.includes(',') ? text.replaceAll('.', '').replace(',', '.') : text);
  return text === '' || Number.isNaN(number) ? -1 : number;
}
