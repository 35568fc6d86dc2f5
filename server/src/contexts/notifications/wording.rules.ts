import type { Locale } from './mail.ts';

const maxNameChars = 80;

/**
 * Returns a user-chosen name made safe to quote in a mail to another person: one line, no invisible or bidirectional
 * control characters, no address that a mail client would turn into a link.
 */
export function quotedName(name: string) {
  const oneLine = name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .trim();
  const characters = [...oneLine];
  const short =
    characters.length > maxNameChars ? `${characters.slice(0, maxNameChars - 1).join('')}…` : oneLine;
  return short.replace(/([.:/@])(?=\S)/g, `$1${wordJoiner}`);
}

/** Zero-width; prevents mail clients from detecting an address. */
const wordJoiner = '\u2060';

/** Masks an address so that only its owner recognizes it: `ana.souza@example.com` becomes `a•••@example.com`. */
export function maskedAddress(address: string) {
  const at = address.lastIndexOf('@');
  return `${[...address.slice(0, at)][0] ?? ''}•••${address.slice(at)}`;
}

const moments: Record<Locale, Intl.DateTimeFormat> = {
  'pt-BR': new Intl.DateTimeFormat('pt-BR', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'America/Sao_Paulo',
  }),
  en: new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }),
};

const zoneNames: Record<Locale, string> = { 'pt-BR': 'horário de Brasília', en: 'UTC' };

export function moment(locale: Locale, instant: string) {
  return `${moments[locale].format(new Date(instant))} (${zoneNames[locale]})`;
}

const money: Record<Locale, Intl.NumberFormat> = {
  'pt-BR': new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' }),
  en: new Intl.NumberFormat('en', { style: 'currency', currency: 'BRL' }),
};

export const reais = (locale: Locale, amount: number) => money[locale].format(amount);

const percentages: Record<Locale, Intl.NumberFormat> = {
  'pt-BR': new Intl.NumberFormat('pt-BR', { style: 'percent' }),
  en: new Intl.NumberFormat('en', { style: 'percent' }),
};

export const percent = (locale: Locale, share: number) => percentages[locale].format(share);

const lists: Record<Locale, Intl.ListFormat> = {
  'pt-BR': new Intl.ListFormat('pt-BR'),
  en: new Intl.ListFormat('en'),
};

const maxNamed = 5;

/** Returns the first five of a list in words, and how many more there are. */
export function listed(locale: Locale, items: string[]) {
  const more = items.length - maxNamed;
  if (more <= 0) return lists[locale].format(items);
  const others = locale === 'en' ? `${more} more` : `mais ${more}`;
  return lists[locale].format([...items.slice(0, maxNamed), others]);
}

const hours: Record<Locale, Intl.DateTimeFormat> = {
  'pt-BR': new Intl.DateTimeFormat('pt-BR', {
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  }),
  en: new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  }),
};

/** A Monday. */
const weekStartMs = Date.UTC(2024, 0, 1);

/** Returns weekday and hour in words; hours count from Monday at midnight. */
export const hourOfWeek = (locale: Locale, hour: number) =>
  hours[locale].format(new Date(weekStartMs + hour * 3_600_000));
