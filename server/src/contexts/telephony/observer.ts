import type { AudioFault, CallObserver, LiveCall, Step } from '../calls/index.ts';

/** A node connected to this process, still running or restarted, or another process took its lease. */
export const leaseChanges = ['taken', 'new_life', 'lost'] as const;
export type LeaseChange = (typeof leaseChanges)[number];

/** Observes call control. Called afterwards; must not block or throw. */
export interface ControlObserver extends CallObserver {
  /** A call was claimed for a node and not dialled yet. */
  callClaimed(call: LiveCall): void;
  callStepped(call: LiveCall, step: Step): void;
  /** Audio of a party is missing; once per party and call. */
  audioMissing(fault: AudioFault): void;
  leaseChanged(change: LeaseChange): void;
}
