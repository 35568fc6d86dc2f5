import { expect, test } from 'vitest';
import { dayIn, startOfDay } from '../../src/platform/time.ts';

test.each([
  ['America/Sao_Paulo', '2026-11-15', '2026-11-15T03:00:00.000Z'],
  // Daylight saving time started at midnight: the day had no midnight.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
  // Daylight saving time ended at midnight: the last hour of the day before occurred twice.
  ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-15', '2026-11-14T18:15:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-15', '2026-11-14T10:00:00.000Z'],
  ['Asia/Beirut', '2022-03-27', '2022-03-26T22:00:00.000Z'],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  // Daylight saving time ended in the morning, after midnight.
  ['Australia/Sydney', '2026-04-05', '2026-04-04T13:00:00.000Z'],
  ['Australia/Sydney', '2026-10-04', '2026-10-03T14:00:00.000Z'],
  // Daylight saving time ended an hour after midnight: midnight occurred twice.
  ['Asia/Amman', '2021-10-29', '2021-10-28T21:00:00.000Z'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['UTC', '2026-11-15', '2026-11-15T00:00:00.000Z'],
])('a day in %s starts at its first instant: %s', (timeZone, day, moment) => {
  const start = startOfDay(day, timeZone);
  expect(start.toISOString()).toBe(moment);
  expect(dayIn(start, timeZone)).toBe(day);
  expect(dayIn(new Date(start.getTime() - 1), timeZone) < day).toBe(true);
});
