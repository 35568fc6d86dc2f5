import type { TFunction } from 'i18next';

const namePattern = /^(?<country>.+?) (?<kind>fixed|mobile)(?: (?<area>\d+))?$/i;

/** Returns a destination of the price list in this language. Price lists name them in English, "Brazil mobile 11". */
export function destinationName(t: TFunction, language: string, description: string): string {
  const { country, kind, area = '' } = namePattern.exec(description)?.groups ?? {};
  const region = regionByName().get((country ?? description).toLowerCase());
  if (!region) return description;
  const localized = new Intl.DisplayNames([language], { type: 'region' }).of(region) ?? description;
  if (!kind) return localized;
  const isMobile = kind.toLowerCase() === 'mobile';
  return t(`credit.quote.destinations.${isMobile ? 'mobile' : 'fixed'}`, { country: localized, area }).trim();
}

let regions: Map<string, string> | undefined;

/** ISO country codes by English name, computed on first use. */
function regionByName(): Map<string, string> {
  if (regions) return regions;
  const english = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((first) => letters.map((second) => `${first}${second}`));
  regions = new Map(codes.map((code): [string, string] => [english.of(code)?.toLowerCase() ?? code, code]));
  return regions;
}
