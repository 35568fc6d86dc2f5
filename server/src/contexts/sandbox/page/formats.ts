import { reaisFromMicros } from '../../../platform/money.ts';
import type { Locale } from './words.ts';

const zone = 'America/Sao_Paulo';

const perLocale = <T>(make: (tag: string) => T): Record<Locale, T> => ({
  'pt-BR': make('pt-BR'),
  en: make('en-GB'),
});

const amounts = perLocale((tag) => new Intl.NumberFormat(tag, { style: 'currency', currency: 'BRL' }));
const days = perLocale((tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }));
const moments = perLocale(
  (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone: zone }),
);
const zoneNames: Record<Locale, string> = { 'pt-BR': 'horário de Brasília', en: 'Brasília time' };

export const shownAmount = (locale: Locale, micros: number): string =>
  amounts[locale].format(reaisFromMicros(micros));

/** Formats a date, which has no time zone. */
export const shownDay = (locale: Locale, day: string): string =>
  days[locale].format(new Date(`${day}T00:00:00Z`));

export const shownMoment = (locale: Locale, at: Date): string =>
  `${moments[locale].format(at)} (${zoneNames[locale]})`;
