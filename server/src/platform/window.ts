import { invalid } from './errors.ts';

const dayMs = 24 * 3600 * 1000;

/** Checks a requested time window: it ends after it starts, and is not too long. */
export function checkWindow(since: Date, until: Date, longestDays: number): void {
  const lengthMs = until.getTime() - since.getTime();
  if (lengthMs <= 0)
    throw invalid({ path: 'until', code: 'too_small', message: '`until` must be after `since`.' });
  if (lengthMs > longestDays * dayMs)
    throw invalid({
      path: 'since',
      code: 'too_small',
      message: `\`since\` must be at most ${longestDays} days before \`until\`.`,
    });
}
