import type { Answer } from '../../../api/client.ts';
import { runningStates } from './fields.ts';

export const outcomes = ['answered', 'notAnswered', 'busy', 'failed', 'running'] as const;
/** What came of a call. Every call has exactly one outcome. */
export type Outcome = (typeof outcomes)[number];

type Summary = Answer<'/calls/summary'>;

const busyCauses = ['USER_BUSY'];
/** The call did not reach a telephone that could have rung. Calls that rang or were given up count as not answered. */
const failedCauses = [
  'UNALLOCATED_NUMBER',
  'NO_ROUTE_DESTINATION',
  'NUMBER_CHANGED',
  'DESTINATION_OUT_OF_ORDER',
  'INVALID_NUMBER_FORMAT',
  'NORMAL_UNSPECIFIED',
  'NORMAL_CIRCUIT_CONGESTION',
  'NETWORK_OUT_OF_ORDER',
  'NORMAL_TEMPORARY_FAILURE',
  'SWITCH_CONGESTION',
  'INCOMPATIBLE_DESTINATION',
  'RECOVERY_ON_TIMER_EXPIRE',
  'ALLOTTED_TIMEOUT',
];

/** Returns the API filter for the calls with this outcome. */
export function outcomeTests(outcome: Outcome): Record<string, unknown>[] {
  if (outcome === 'running') return [{ status: { inq: runningStates } }];
  const ended = { status: 'ended' };
  if (outcome === 'answered') return [ended, { answered_at: { exists: true } }];
  return [ended, { answered_at: { exists: false } }, { hangup_cause: causesOf(outcome) }];
}

function causesOf(outcome: 'notAnswered' | 'busy' | 'failed'): Record<string, string[]> {
  switch (outcome) {
    case 'busy':
      return { inq: busyCauses };
    case 'failed':
      return { inq: failedCauses };
    case 'notAnswered':
      return { nin: [...busyCauses, ...failedCauses] };
  }
}

/** Counts the calls of a summary by outcome. */
export function countOutcomes({ totals, hangupCauses }: Summary): Record<Outcome, number> {
  const unanswered = (causes: string[]): number =>
    hangupCauses
      .filter(({ cause }) => causes.includes(cause))
      .reduce((sum, { calls, answered }) => sum + calls - answered, 0);
  const [busy, failed] = [unanswered(busyCauses), unanswered(failedCauses)];
  return {
    answered: totals.answered,
    notAnswered: totals.ended - totals.answered - busy - failed,
    busy,
    failed,
    running: totals.calls - totals.ended,
  };
}
