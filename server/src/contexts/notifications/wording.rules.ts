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
