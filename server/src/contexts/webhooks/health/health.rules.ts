export const healthStates = ['off', 'disabled', 'failing', 'waiting', 'working'] as const;

interface Judged {
  webhook: boolean;
  disabledAt: Date | null;
  failingSince: Date | null;
}

/**
 * Returns the health of an integration; the worst condition takes precedence. Without deliveries it is neither healthy
 * nor failing.
 */
export function healthOf(
  { webhook, disabledAt, failingSince }: Judged,
  wasSentTo: boolean,
): (typeof healthStates)[number] {
  if (!webhook) return 'off';
  if (disabledAt !== null) return 'disabled';
  if (failingSince !== null) return 'failing';
  return wasSentTo ? 'working' : 'waiting';
}
