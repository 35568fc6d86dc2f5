import { Refusal } from '../errors.ts';

/**
 * Converts errors of an unavailable PostgreSQL to SERVICE_UNAVAILABLE and returns all others unchanged. Clients may retry
 * the request; if its transaction had committed, the idempotency key prevents a second execution.
 */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof Refusal || !isUnavailability(error)) return error;
  return new Refusal('SERVICE_UNAVAILABLE', 'The service is temporarily unavailable. Try again shortly.', {
    retryAfterSeconds: 2,
    cause: error,
  });
}

// SQLSTATEs: connection exceptions (08), shutdown, start-up and statement timeout (57), too many connections (53), idle
// transaction timeout (25P03), a former primary that is read-only now (25006), and serialization failure or deadlock (40).
const sqlStates = /^(08|57|53|40|25P03|25006)/;
const socketCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT', 'EHOSTUNREACH']);
// Errors of node-postgres without a code.
const poolTimeout = 'timeout exceeded when trying to connect';
const messages = new RegExp(`Connection terminated|${poolTimeout}|not queryable`);

/** Returns whether no connection of the pool became free in time. */
export const isPoolTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message.includes(poolTimeout);

/** Returns whether the error ended the connection, or came from a server that is not the primary. */
export const isLoss = (error: unknown): boolean =>
  isUnavailability(error) && !/^(57014|53|40|25P03)/.test(String((error as { code?: unknown }).code));

/** Returns whether the server refused a write because it is not the primary. */
export const isReadOnly = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '25006';

export function isUnavailability(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && (sqlStates.test(code) || socketCodes.has(code))) return true;
  if (error instanceof AggregateError) return error.errors.some(isUnavailability);
  return messages.test(error.message);
}

/** Returns the name of the violated constraint, if the error is a constraint violation. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' ? constraint : undefined;
}
