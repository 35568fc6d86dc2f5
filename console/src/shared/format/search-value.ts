/** Returns digits as a number for the URL; the router would put a numeric string in quotes. */
export function toSearchValue(text: string): string | number {
  const number = Number(text);
  return Number.isSafeInteger(number) && String(number) === text ? number : text;
}
