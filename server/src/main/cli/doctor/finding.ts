/** The result of checking one component, and how to fix it. */
export interface Finding {
  part: string;
  state: 'ok' | 'warning' | 'fault';
  says: string;
  /** How to fix it; absent when the check passed. */
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

/** Checks one component. An exception counts as a failed check. */
export interface Check {
  part: string;
  look(): Promise<Finding | Finding[]>;
  /** Advice to show if the check throws. */
  otherwise: string;
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${messageOf(error.cause)}` : '';
  return `${error.message}${statusOf(error)}${cause}`;
}

/** Returns the HTTP status of a storage service's error, which is often more specific than its message. */
function statusOf(error: Error & { $metadata?: { httpStatusCode?: number } }): string {
  const status = error.$metadata?.httpStatusCode;
  return status === undefined ? '' : ` (HTTP ${status})`;
}
