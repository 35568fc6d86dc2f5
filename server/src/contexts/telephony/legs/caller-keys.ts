import { silentEdgeSeconds } from '../../../platform/call-timings.ts';
import type { Database } from '../../../platform/db/database.ts';
import { refreshEvery } from '../../../platform/refresh.ts';
import type { PhoneLeg } from '../ports.ts';
import { type CallerSigning, isSigned } from './caller-identity.ts';
import { findCallerKeys } from './edge.store.ts';

/** Verifies that an edge has authenticated a caller, so that a media node cannot place calls for other accounts. */
export interface CallerKeys {
  /** Accepts each signature once. */
  accept(leg: PhoneLeg, at: Date): boolean;
  /** False while an edge of the previous release runs. */
  allEdgesSign(): boolean;
  close(): void;
}

const refreshEveryMs = 5_000;
/** Longer than a signature is valid, whatever the clocks of edges and voice. */
const rememberedMs = 120_000;

/** Opens the keys, which refresh from the database until they are closed. */
export async function openCallerKeys(db: Database, onFailure: (error: unknown) => void): Promise<CallerKeys> {
  let signing: CallerSigning = await findCallerKeys(db, silentEdgeSeconds);
  const used = new Map<string, number>();
  const refresh = async () => {
    signing = await findCallerKeys(db, silentEdgeSeconds);
  };
  return {
    accept(leg, at) {
      if (leg.signature === '') return !signing.isRequired;
      for (const [signature, usedAt] of used) {
        if (usedAt > at.getTime() - rememberedMs) break;
        used.delete(signature);
      }
      if (used.has(leg.signature) || !isSigned(signing, leg, at)) return false;
      used.set(leg.signature, at.getTime());
      return true;
    },
    allEdgesSign: () => signing.isRequired,
    close: refreshEvery(refreshEveryMs, refresh, onFailure),
  };
}
