import { type Fault, invalid } from './errors.ts';

const dayMs = 24 * 3600 * 1000;

/** Returns the faults of a requested time window: it must end after it starts, and must not be too long. */
export function faultsOfWindow(since: Date, until: Date, longestDays: number): Fault[] {
  const lengthMs = until.getTime() - since.getTime();
  if (lengthMs <= 0) {
    return [{ path: 'until', code: 'too_small', message: '`until` must be after `since`.' }];
  }
  if (lengthMs <= longestDays * dayMs) return [];
  const message = `\`since\` must be at most ${longestDays} days before \`until\`.`;
  return [{ path: 'since', code: 'too_small', message }];
}

export function checkWindow(since: Date, until: Date, longestDays: number): void {
  const faults = faultsOfWindow(since, until, longestDays);
  if (faults.length > 0) throw invalid(...faults);
}
