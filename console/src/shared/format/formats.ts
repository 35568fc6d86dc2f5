import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';

/** Formats values in the user's language and the account's time zone. */
export interface Formats {
  /** `R$ 12,34`; call prices have four decimals. */
  money(reais: number, decimals?: 2 | 4): string;
  /** Price per minute. Most are whole cents, shown with two decimals. */
  rate(reais: number): string;
  number(value: number): string;
  /** A ratio from 0 to 1. */
  percent(share: number): string;
  /** `1 min 12 s` */
  duration(seconds: number): string;
  /** `15/11/2026 09:30:12` */
  dateTime(iso: string): string;
  date(iso: string): string;
  /** A calendar date such as `2026-11-15`, independent of time zones: `15/11`. */
  day(day: string): string;
  time(iso: string): string;
  /** `15/11 09:30`, for narrow columns. */
  shortTime(iso: string): string;
  /** `há 5 min` */
  ago(iso: string, nowMs?: number): string;
  timeZone: string;
}

const isWholeCents = (reais: number): boolean => Number.isInteger(Math.round(reais * 10_000) / 100);

/** English with the day first and 24 hours, as in the charts and in Portuguese. */
const dateLocales: Record<string, string> = { en: 'en-GB' };

export function createFormats(language: string, timeZone: string): Formats {
  const dates = dateLocales[language] ?? language;
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(dates, { ...options, timeZone });
  const money = (digits: number) =>
    new Intl.NumberFormat(language, {
      style: 'currency',
      currency: 'BRL',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  const [cents, exact] = [money(2), money(4)];
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const date = part({ dateStyle: 'short' });
  const time = part({ timeStyle: 'medium' });
  const dateTime = part({ dateStyle: 'short', timeStyle: 'medium' });
  const shortTime = part({ day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' });
  const day = new Intl.DateTimeFormat(dates, { day: '2-digit', month: '2-digit', timeZone: 'UTC' });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  const at = (iso: string) => new Date(iso);
  return {
    money: (reais, decimals = 2) => (decimals === 2 ? cents : exact).format(reais),
    rate: (reais) => (isWholeCents(reais) ? cents : exact).format(reais),
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    duration: formatDuration,
    dateTime: (iso) => dateTime.format(at(iso)),
    date: (iso) => date.format(at(iso)),
    day: (text) => day.format(at(`${text}T00:00:00Z`)),
    time: (iso) => time.format(at(iso)),
    shortTime: (iso) => shortTime.format(at(iso)),
    ago: (iso, nowMs = Date.now()) => formatAgo(relative, (at(iso).getTime() - nowMs) / 1000),
    timeZone,
  };
}

export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

function formatAgo(relative: Intl.RelativeTimeFormat, seconds: number): string {
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  // English abbreviates with a full stop, the console without one: `5 min ago`.
  return relative.format(Math.round(seconds / size), unit).replace('.', '');
}

const cache = new Map<string, Formats>();

/** Cached per language and time zone: creating `Intl` formats takes about 1 ms, and lists have many rows. */
function getFormats(language: string, timeZone: string): Formats {
  const key = `${language} ${timeZone}`;
  const formats = cache.get(key) ?? createFormats(language, timeZone);
  cache.set(key, formats);
  return formats;
}

export function useFormats(): Formats {
  const { i18n } = useTranslation();
  const { account } = useSession();
  return getFormats(i18n.language, account.timezone);
}
