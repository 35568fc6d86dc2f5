export const healthStates = ['off', 'disabled', 'failing', 'waiting', 'working'] as const;

interface Judged {
  webhook: boolean;
  disabledAt: Date | null;
  failingSince: Date | null;
}

/** How an integration fares, worst news first. One to which nothing was sent yet is neither well nor ill. */
export function healthOf(
  { webhook, disabledAt, failingSince }: Judged,
  wasSentTo: boolean,
): (typeof healthStates)[number] {
  if (!webhook) return 'off';
  if (disabledAt !== null) return 'disabled';
  if (failingSince !== null) return 'failing';
  return wasSentTo ? 'working' : 'waiting';
}
