import type { Caller } from '../../platform/caller.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import type { Clock } from '../../platform/time.ts';

export type Mode = 'test' | 'live';
export type CallerIdStatus = 'pending' | 'owned';
export type CallerIdSource = 'operator' | 'verified';

/** A number that the account may present, or has requested. */
export interface CallerId {
  id: number;
  number: string;
  status: CallerIdStatus;
  source: CallerIdSource;
  createdAt: Date;
  ownedAt: Date | null;
}

/**
 * Places a call that speaks the code, in this transaction and charged like any call. Throws the same refusals as any
 * call, without effect.
 */
export type PlaceCodeCall = (
  tx: Tx,
  call: { number: string; code: string; caller: Caller; at: Date },
) => Promise<void>;

export interface CallerIdDeps {
  db: Database;
  clock: Clock;
  keyRing: KeyRing;
  placeCodeCall: PlaceCodeCall;
}
