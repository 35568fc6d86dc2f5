import { wallTime } from '../../../../src/platform/time.ts';
import type { CallRow } from '../../../harness/fixtures/call-rows.ts';

type Call = Partial<CallRow> & { startedAt: Date };

/** Computes the expected summary call by call. */
export function expectedSummary(all: Call[], window: { since: string; until: string }, timezone: string) {
  const calls = all.filter(
    ({ startedAt }) => startedAt >= new Date(window.since) && startedAt < new Date(window.until),
  );
  const clock = ({ startedAt }: Call) => wallTime(startedAt, timezone);
  const causes = Map.groupBy(calls.filter(isEnded), ({ hangupCause }) => hangupCause ?? 'NORMAL_CLEARING');
  return {
    totals: sumCalls(calls),
    byDay: listDays(window, timezone).map((day) => ({
      day,
      ...sumCalls(calls.filter((call) => clock(call).startsWith(day))),
    })),
    byHour: Array.from({ length: 24 }, (_, hour) => ({
      hour,
      ...sumCalls(calls.filter((call) => Number(clock(call).slice(11, 13)) === hour)),
    })),
    hangupCauses: [...causes]
      .map(([cause, of]) => ({
        cause,
        calls: of.length,
        answered: of.filter(({ duration }) => duration !== 0).length,
      }))
      .sort((one, other) => other.calls - one.calls || (one.cause < other.cause ? -1 : 1)),
  };
}

const isEnded = ({ status }: Call): boolean => status === undefined || status === 'ended';

function sumCalls(calls: Call[]) {
  const ended = calls.filter(isEnded);
  const answered = ended.filter(({ duration }) => duration !== 0);
  const talkSeconds = ended.reduce((sum, { duration = 42 }) => sum + duration, 0);
  const short = ended.filter(({ duration = 42 }) => duration <= 6).length;
  const micros = ended.reduce((sum, { priceMicros }) => sum + (priceMicros?.call ?? 0), 0);
  return {
    calls: calls.length,
    ended: ended.length,
    answered: answered.length,
    answeredShare: ended.length === 0 ? null : expectClose(answered.length / ended.length),
    talkSeconds,
    averageDuration: answered.length === 0 ? null : Math.round((talkSeconds / answered.length) * 10) / 10,
    spend: micros / 1_000_000,
    outbound: ended.length,
    short,
    shortShare: ended.length === 0 ? null : expectClose(short / ended.length),
  };
}

const expectClose = (share: number): number => Math.round(share * 10_000) / 10_000;

/** Returns every day in the window, found in steps shorter than any day. */
function listDays(window: { since: string; until: string }, timezone: string): string[] {
  const [fromMs, untilMs] = [Date.parse(window.since), Date.parse(window.until)];
  const days = new Set<string>();
  for (let ms = fromMs; ms < untilMs; ms += 3_600_000)
    days.add(wallTime(new Date(ms), timezone).slice(0, 10));
  days.add(wallTime(new Date(untilMs - 1), timezone).slice(0, 10));
  return [...days];
}
