import type { CallObserver, LiveCall, Step } from '../calls/index.ts';

/** A node connected to this process (running or restarted), or another process has taken its lease. */
export const leaseChanges = ['taken', 'new_life', 'lost'] as const;
export type LeaseChange = (typeof leaseChanges)[number];

/** Observer of call control, called after the fact. Must not block or throw. */
export interface ControlObserver extends CallObserver {
  /** Claimed for a node, not dialled yet. */
  callClaimed(call: LiveCall): void;
  callStepped(call: LiveCall, step: Step): void;
  leaseChanged(change: LeaseChange): void;
}
