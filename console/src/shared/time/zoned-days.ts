/** Dates and times in the account's time zone. */

const dayMs = 86_400_000;

/** The Swedish locale formats dates as ISO 8601. */
const wallClock = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });

/** Returns the date at a time in the zone, as `2026-11-15`. */
export const dayInZone = (at: Date, timeZone: string): string => wallClock(timeZone).format(at).slice(0, 10);

/** Returns the hour of day in the zone, 0 to 23. */
export const hourInZone = (at: Date, timeZone: string): number =>
  Number(wallClock(timeZone).format(at).slice(11, 13));

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** Whether the text is a valid date `2026-11-15` or local time `2026-11-15T09:30`. */
export const isWallTime = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?)?$/.test(text) &&
  // `Date` reads 31 February as a day in March, so the text must round-trip.
  new Date(Date.parse(`${text.padEnd(16, 'T00:00')}Z`) || 0).toISOString().startsWith(text);

/**
 * Returns the instant of a local time `2026-11-15T09:30`, or of the start of a date `2026-11-15`. Where daylight saving
 * time starts at midnight, the date starts later.
 */
export function toInstant(local: string, timeZone: string): Date {
  const clock = wallClock(timeZone);
  const wallMs = Date.parse(local.length === 10 ? `${local}T00:00:00Z` : `${local}Z`);
  const offsetAt = (ms: number): number => Date.parse(`${clock.format(ms).replace(' ', 'T')}Z`) - ms;
  const guessMs = wallMs - offsetAt(wallMs);
  const moment = wallMs - offsetAt(guessMs);
  return new Date(moment + offsetAt(moment) === wallMs ? moment : Math.max(guessMs, moment));
}
