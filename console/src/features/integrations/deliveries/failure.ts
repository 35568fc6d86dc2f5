import type { texts } from '../../../locales/pt-BR/index.ts';
import type { Outcome } from '../queries.ts';

export type Failure = keyof typeof texts.integrations.failures;

/** Classifies the outcome of a request; undefined on success. */
export function classifyFailure(outcome: Outcome, status: number | null): Failure | undefined {
  if (outcome === 'delivered') return undefined;
  // No request was made: the webhook was paused or disabled in the meantime.
  if (outcome === 'gone' && status === null) return 'stopped';
  if (outcome !== 'bad_status' || status === null) return outcome;
  if (status >= 300 && status < 400) return 'redirected';
  if ([401, 403, 407].includes(status)) return 'locked';
  if ([404, 405].includes(status)) return 'missing';
  if (status === 429) return 'busy';
  return status >= 500 ? 'broken' : 'bad_status';
}
