/** A moment as a clock in this zone shows it and a field for date and time takes it: `2026-11-15T09:30`. */
export const localOf = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(at)
    .replace(' ', 'T');

const hourMs = 3_600_000;
const minuteMs = 60_000;

/** The last hours up to now; the minute that runs belongs to it. */
export const lastHours = (hours: number, timeZone: string, nowMs = Date.now()) => ({
  since: localOf(new Date(nowMs - hours * hourMs), timeZone),
  until: localOf(new Date(nowMs + minuteMs), timeZone),
});
