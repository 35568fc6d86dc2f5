import type { Outcome } from '../../contexts/webhooks/index.ts';

/** Why a request came to nothing, at the stage where it did. */
export class Failure extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome, detail: string, cause?: unknown) {
    super(detail, { cause });
    this.name = 'Failure';
    this.outcome = outcome;
  }
}

/** A failure that says so itself, or one that came from a socket with a request on its way. */
export function failureFrom(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = codeOf(error);
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW')
    return new Failure('connection_lost', `The answer is not valid HTTP (${code}).`, error);
  return new Failure('connection_lost', `The connection was lost (${code}).`, error);
}

/** Node's and OpenSSL's codes tell what happened without the texts that quote hosts and certificates. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && code !== '') return code;
  return error instanceof Error ? error.name : 'Error';
}
