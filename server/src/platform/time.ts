import { memoize } from './memoize.ts';

/** Source of the current time, passed as an argument so that tests can control it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export const secondsAfter = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000);

const zones = new Set(Intl.supportedValuesOf('timeZone'));

/**
 * Accepts IANA zones, including links that Intl accepts but does not list (such as UTC), but not offsets like +03:00.
 */
export function isTimeZone(name: string): boolean {
  if (zones.has(name)) return true;
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const saoPaulo = 'America/Sao_Paulo';
const calendar = new Intl.DateTimeFormat('en-CA', {
  timeZone: saoPaulo,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});
/** Returns the date in Sao Paulo, as YYYY-MM-DD. */
export const dayInSaoPaulo = (at: Date): string => calendar.format(at);

const dayMs = 24 * 3600 * 1000;

/**
 * Returns the start of that day, in Sao Paulo or another zone. Correct on days when daylight saving time starts or
 * ends.
 */
export const startOfDay = (day: string, timeZone = saoPaulo): Date => instantOf(`${day} 00:00:00`, timeZone);

/**
 * Returns when the clocks of a time zone first show `YYYY-MM-DD HH:MM:SS`. A time that they skip is read with the offset
 * from before.
 */
export function instantOf(localTime: string, timeZone: string): Date {
  const shownMs = Date.parse(`${localTime.replace(' ', 'T')}.000Z`);
  const [early, late] = [shownMs - dayMs, shownMs + dayMs]
    .map((near) => shownMs - aheadOfUtcMs(near, timeZone))
    .sort((a, b) => a - b) as [number, number];
  const isShown = (atMs: number): boolean => atMs + aheadOfUtcMs(atMs, timeZone) === shownMs;
  return new Date(isShown(early) ? early : late);
}

const formatterFor = memoize(
  1_000,
  (timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
);

const quarterMs = 15 * 60 * 1000;

/**
 * Offset from UTC by zone and quarter of an hour, within which no zone changes. Memoized, because calling Intl for
 * every time would take longer than all other work for a webhook.
 */
const offsetMs = memoize(10_000, (zoneAndQuarter) => {
  const [timeZone = '', quarter] = zoneAndQuarter.split(' ');
  const atMs = Number(quarter) * quarterMs;
  return Date.parse(`${formatterFor(timeZone).format(atMs).replace(' ', 'T')}.000Z`) - atMs;
});

const aheadOfUtcMs = (atMs: number, timeZone: string): number =>
  offsetMs(`${timeZone} ${Math.floor(atMs / quarterMs)}`);

/** Returns the local time in a time zone, as `YYYY-MM-DD HH:MM:SS`. */
export const wallTime = (at: Date, timeZone: string): string =>
  new Date(at.getTime() + aheadOfUtcMs(at.getTime(), timeZone)).toISOString().slice(0, 19).replace('T', ' ');

const hourMs = 3600 * 1000;
/** 1970 began on a Thursday. */
const hoursBeforeThursday = 72;

/** Returns the hour of the week in a time zone; 0 begins on Monday at 0:00. */
export const hourOfWeek = (at: Date, timeZone: string): number =>
  (Math.floor((at.getTime() + aheadOfUtcMs(at.getTime(), timeZone)) / hourMs) + hoursBeforeThursday) % 168;

/** Returns the date in a time zone, as YYYY-MM-DD. */
export const dayIn = (at: Date, timeZone: string): string => wallTime(at, timeZone).slice(0, 10);
