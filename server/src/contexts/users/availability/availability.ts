export const availabilities = ['available', 'away', 'do_not_disturb'] as const;

/** Whether a user takes calls. Inbound and internal calls ring the extensions of available users only. */
export interface Availability {
  status: (typeof availabilities)[number];
  /** Only with the status `away`. */
  reason: string | null;
  /** When status or reason changed last; null if the user has never set them. */
  since: Date | null;
}

/** What supervisors see of a person; all but the availability comes from the phones and the running calls. */
export const presenceStates = ['available', 'away', 'do_not_disturb', 'in_call', 'offline'] as const;
export type PresenceState = (typeof presenceStates)[number];

/** A running call of a person, from the time a phone rings. */
export interface PersonCall {
  id: string;
  direction: 'inbound' | 'outbound' | 'internal';
  /** The other party: its number, or its extension in an internal call. */
  number: string;
  status: 'ringing' | 'dialing' | 'answered';
  startedAt: string;
  answeredAt: string | null;
}

export interface Presence extends Availability {
  uuid: string;
  name: string;
  extensions: string[];
  isRegistered: boolean;
  calls: PersonCall[];
}
