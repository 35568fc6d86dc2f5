import { secondsAfter } from '../../../platform/time.ts';

/** A comparison at least this long after a doubt settles it: requests to the engine fail after 3 s, statements after 10 s. */
const settlesDoubtSeconds = 15;
/** Backstop for differences that nothing has announced. */
const longestPauseSeconds = 60;

/** Whether the engine's channels are to be compared with the calls, apart from calls that are themselves uncertain. */
export const isComparisonDue = (
  { comparedAt, doubtedAt }: { comparedAt: Date; doubtedAt: Date },
  now: Date,
): boolean =>
  comparedAt < secondsAfter(doubtedAt, settlesDoubtSeconds) ||
  now >= secondsAfter(comparedAt, longestPauseSeconds);
