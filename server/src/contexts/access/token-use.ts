import type { Database } from '../../platform/db/database.ts';
import { touchTokens } from './access.store.ts';

/** Records when tokens were used. Writes are batched, so that requests never wait for them. */
export interface TokenUse {
  note(hash: Buffer, at: Date, knownUse: Date | null): void;
  /** Writes what was noted and waits for every write in progress. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const precisionMs = 60_000;
const flushEveryMs = 5_000;
const maxPending = 10_000;

export function createTokenUse(db: Database, onError: (error: unknown) => void): TokenUse {
  const pending = new Map<string, [Buffer, Date]>();
  let writing = Promise.resolve();
  function flush(): Promise<void> {
    const uses = [...pending.values()];
    pending.clear();
    // A failed write is dropped: the next use of the token records it again.
    if (uses.length > 0) writing = writing.then(() => touchTokens(db, uses)).catch(onError);
    return writing;
  }

  const timer = setInterval(() => void flush(), flushEveryMs);
  timer.unref();
  return {
    note(hash, at, knownUse) {
      const fresh = knownUse !== null && at.getTime() - knownUse.getTime() < precisionMs;
      if (!fresh && pending.size < maxPending) pending.set(hash.toString('latin1'), [hash, at]);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
