import { worryingClockSkewSeconds } from '../../../platform/call-timings.ts';

/** Returns the talk time on the node's clock, or on ours if they differ clearly: the node's was set during the call. */
export const talkedSeconds = (onNode: number, onOurs: number): number =>
  Math.abs(onNode - onOurs) > worryingClockSkewSeconds ? onOurs : onNode;
