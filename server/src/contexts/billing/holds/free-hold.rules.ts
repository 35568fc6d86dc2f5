import { secondsAfter } from '../../../platform/time.ts';
import type { Hold } from './hold.store.ts';

/** Longer than most calls; longer calls renew the hold like any other. */
const freeSeconds = 4 * 3600;
const graceSeconds = 300;

interface FreeCall extends Pick<Hold, 'accountId' | 'callId' | 'book' | 'destination'> {
  at: Date;
  /** How long the call may last. */
  mostSeconds: number | undefined;
}

/** Returns the hold of a free call: zero, but funded and settled like any other. */
export function planFreeHold(call: FreeCall): Hold {
  const fundedSeconds = Math.min(freeSeconds, call.mostSeconds ?? freeSeconds);
  return {
    accountId: call.accountId,
    callId: call.callId,
    book: call.book,
    destination: call.destination,
    state: 'open',
    rate: {
      deckName: 'free',
      prefix: '',
      description: '',
      pricePerMinuteMicros: 0,
      minimumSeconds: 1,
      stepSeconds: 1,
      freeSeconds: 24 * 3600,
    },
    fundedSeconds,
    heldMicros: 0,
    renewals: 0,
    createdAt: call.at,
    expiresAt: secondsAfter(call.at, fundedSeconds + graceSeconds),
    settledAt: null,
    settlement: undefined,
  };
}
