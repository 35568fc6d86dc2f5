import { reaisFromMicros } from '../../../platform/money.ts';
import { hangupCauseCode } from '../causes.rules.ts';

/** Totals of some calls. All fields but `calls` count ended calls only. */
export interface CallSum {
  calls: number;
  ended: number;
  answered: number;
  talkSeconds: number;
  spendMicros: number;
  /** Outbound calls, which the regulator counts, and the short ones among them. */
  outbound: number;
  short: number;
}

/** One group of a window's totals; `level` determines which of the three columns identifies it. */
export interface SumRow extends CallSum {
  day: string | null;
  hour: number | null;
  cause: string | null;
  level: number;
}

/** Values of PostgreSQL's `grouping(day, hour, cause)`: a bit is set for a column that is not grouped by. */
const levels = { all: 0b111, byDay: 0b011, byHour: 0b101, byCause: 0b110 };

/**
 * The Brazilian regulator blocks accounts that place more than `callsPerDay` calls in a day if at least `shareLimit` of
 * them are short: not answered, or of at most `seconds`.
 */
export const shortCallRule = { seconds: 6, shareLimit: 0.85, callsPerDay: 100_000 };

const nothing: CallSum = {
  calls: 0,
  ended: 0,
  answered: 0,
  talkSeconds: 0,
  spendMicros: 0,
  outbound: 0,
  short: 0,
};

/** Returns the groups in order, with zeros for the days and hours without calls. */
export function summaryOf(rows: SumRow[], days: string[]) {
  const at = (level: number) => rows.filter((row) => row.level === level);
  const byDay = new Map(at(levels.byDay).map((row) => [row.day, row]));
  const byHour = new Map(at(levels.byHour).map((row) => [row.hour, row]));
  const ofDays = days.map((day) => ({ day, sum: byDay.get(day) ?? nothing }));
  return {
    totals: presentSum(at(levels.all)[0] ?? nothing),
    byDay: ofDays.map(({ day, sum }) => ({ day, ...presentSum(sum) })),
    byHour: Array.from({ length: 24 }, (_, hour) => ({ hour, ...presentSum(byHour.get(hour) ?? nothing) })),
    hangupCauses: at(levels.byCause).flatMap(causeOf).sort(byFrequency),
    shortCalls: { ...shortCallRule, daysOver: ofDays.filter(({ sum }) => isOver(sum)).map(({ day }) => day) },
  };
}

const presentSum = (sum: CallSum) => ({
  calls: sum.calls,
  ended: sum.ended,
  answered: sum.answered,
  answeredShare: share(sum.answered, sum.ended),
  talkSeconds: sum.talkSeconds,
  averageDuration: sum.answered === 0 ? null : Math.round((sum.talkSeconds / sum.answered) * 10) / 10,
  spend: reaisFromMicros(sum.spendMicros),
  outbound: sum.outbound,
  short: sum.short,
  shortShare: share(sum.short, sum.outbound),
});

/** Returns a share with four decimals, more than the console shows. */
const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

/** Returns the cause; calls that have not ended have none yet. */
const causeOf = ({ cause, ended, answered }: SumRow) =>
  cause === null ? [] : [{ cause, code: hangupCauseCode(cause), calls: ended, answered }];

const byFrequency = (one: { calls: number; cause: string }, other: { calls: number; cause: string }) =>
  other.calls - one.calls || (one.cause < other.cause ? -1 : 1);

const isOver = ({ outbound, short }: CallSum): boolean =>
  outbound > shortCallRule.callsPerDay && short >= outbound * shortCallRule.shareLimit;
