import type { Outcome } from '../../contexts/webhooks/index.ts';

/** Why a request failed, and at which stage. */
export class Failure extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome, detail: string, cause?: unknown) {
    super(detail, { cause });
    this.name = 'Failure';
    this.outcome = outcome;
  }
}

/** Converts a socket error during a request; a Failure is returned unchanged. */
export function failureFrom(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = codeOf(error);
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW')
    return new Failure('connection_lost', `The response is not valid HTTP (${code}).`, error);
  return new Failure('connection_lost', `The connection was lost (${code}).`, error);
}

/** Returns Node's or OpenSSL's error code. Messages are omitted: they quote hosts and certificates. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && code !== '') return code;
  return error instanceof Error ? error.name : 'Error';
}
