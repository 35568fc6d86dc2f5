import type { CallWatch, LiveCall, Step } from '../calls/index.ts';

/** A node comes to this process, as it was or started anew, or another process has taken it. */
export const leaseChanges = ['taken', 'new_life', 'lost'] as const;
export type LeaseChange = (typeof leaseChanges)[number];

/** Is told what call control does, after it is done. It must neither wait nor throw. */
export interface ControlWatch extends CallWatch {
  /** Claimed for a node, which is about to be asked. */
  callClaimed(call: LiveCall): void;
  callStepped(call: LiveCall, step: Step): void;
  leaseChanged(change: LeaseChange): void;
}
