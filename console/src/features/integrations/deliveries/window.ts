/** Returns the local time in the zone for a datetime-local input: `2026-11-15T09:30`. */
export const toLocalTime = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(at)
    .replace(' ', 'T');

const hourMs = 3_600_000;
const minuteMs = 60_000;

/** Returns the last hours up to now, including the current minute. */
export const lastHours = (hours: number, timeZone: string, nowMs = Date.now()) => ({
  since: toLocalTime(new Date(nowMs - hours * hourMs), timeZone),
  until: toLocalTime(new Date(nowMs + minuteMs), timeZone),
});
