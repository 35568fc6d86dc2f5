/** What was seen of one part, and what to do if it is not as it should be. */
export interface Finding {
  part: string;
  state: 'ok' | 'warning' | 'fault';
  says: string;
  /** What to do; nothing where all is well. */
  advice?: string;
}

export const ok = (part: string, says: string): Finding => ({ part, state: 'ok', says });
export const warning = (part: string, says: string, advice: string): Finding => ({
  part,
  state: 'warning',
  says,
  advice,
});
export const fault = (part: string, says: string, advice: string): Finding => ({
  part,
  state: 'fault',
  says,
  advice,
});

/** Looks at one part. What it throws is a fault of that part. */
export interface Check {
  part: string;
  look(): Promise<Finding | Finding[]>;
  /** What to do when it throws. */
  otherwise: string;
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${messageOf(error.cause)}` : '';
  return `${error.message}${statusOf(error)}${cause}`;
}

/** Storage services tell by the status what their words do not. */
function statusOf(error: Error & { $metadata?: { httpStatusCode?: number } }): string {
  const status = error.$metadata?.httpStatusCode;
  return status === undefined ? '' : ` (HTTP ${status})`;
}
