/** Days and moments as the account's time zone has them. */

const dayMs = 86_400_000;

/** Swedish writes dates as ISO 8601 does. */
const wallClock = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });

/** The day of a moment there, as `2026-11-15`. */
export const dayOf = (at: Date, timeZone: string): string => wallClock(timeZone).format(at).slice(0, 10);

/** The hour of a moment there, 0 to 23. */
export const hourOf = (at: Date, timeZone: string): number =>
  Number(wallClock(timeZone).format(at).slice(11, 13));

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** Whether the calendar has it: a day as `2026-11-15`, or a moment of it as `2026-11-15T09:30`. */
export const isWallTime = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?)?$/.test(text) &&
  // A 31st of February is read as a day of March.
  new Date(Date.parse(`${text.padEnd(16, 'T00:00')}Z`) || 0).toISOString().startsWith(text);

/**
 * The moment that a clock there shows as `2026-11-15T09:30`, or as the beginning of a day `2026-11-15`. Where summer time
 * begins at midnight, the day begins later.
 */
export function momentOf(local: string, timeZone: string): Date {
  const clock = wallClock(timeZone);
  const wallMs = Date.parse(local.length === 10 ? `${local}T00:00:00Z` : `${local}Z`);
  const offsetAt = (ms: number): number => Date.parse(`${clock.format(ms).replace(' ', 'T')}Z`) - ms;
  const guessMs = wallMs - offsetAt(wallMs);
  const moment = wallMs - offsetAt(guessMs);
  return new Date(moment + offsetAt(moment) === wallMs ? moment : Math.max(guessMs, moment));
}
