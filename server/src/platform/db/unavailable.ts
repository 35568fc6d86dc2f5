import { Refusal } from '../errors.ts';

/**
 * PostgreSQL being away is not a fault of the request: such an error becomes SERVICE_UNAVAILABLE, everything else
 * passes unchanged. A client may repeat the request; whether its transaction committed is then up to the
 * idempotency key it carried.
 */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof Refusal || !isUnavailability(error)) return error;
  return new Refusal(
    'SERVICE_UNAVAILABLE',
    'The service cannot answer right now. Please try again shortly.',
    {
      retryAfterSeconds: 2,
      cause: error,
    },
  );
}

// Connection exceptions (08), shutdown, start-up and a statement out of time (57), too many connections (53), and a
// transaction that the server ended because it waited (25P03) or stood in the way of another (40), each as PostgreSQL's
// SQLSTATE.
const sqlStates = /^(08|57|53|40|25P03)/;
const socketCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT', 'EHOSTUNREACH']);
// node-postgres gives these no code.
const messages = /Connection terminated|timeout exceeded when trying to connect|not queryable/;

function isUnavailability(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && (sqlStates.test(code) || socketCodes.has(code))) return true;
  if (error instanceof AggregateError) return error.errors.some(isUnavailability);
  return messages.test(error.message);
}

/** The unique index a write ran into, if that is what happened. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' ? constraint : undefined;
}
