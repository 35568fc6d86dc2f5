import type { Fault } from '../../../platform/errors.ts';
import type { Availability, Presence, PresenceState } from './availability.ts';

type Given = { status?: string | undefined; reason?: string | null | undefined };

/** Returns the fault of a reason that does not belong to its status. */
export const faultsOfAvailability = ({ status, reason }: Given): Fault[] =>
  status === undefined || status === 'away' || !reason
    ? []
    : [
        {
          path: 'reason',
          code: 'conflict',
          message: '`reason` needs `status` `away`.',
        },
      ];

export const isSame = (one: Availability, other: Omit<Availability, 'since'>): boolean =>
  one.status === other.status && one.reason === other.reason;

/**
 * Returns the state to show of a person. A call comes first; then what the person has set, also without a registered
 * phone, because its reason says more.
 */
export function stateOf({ status, isRegistered, calls }: Presence): PresenceState {
  if (calls.length > 0) return 'in_call';
  if (status !== 'available') return status;
  return isRegistered ? 'available' : 'offline';
}
