import type { Database } from '../../platform/db/database.ts';
import type { WakeListener } from '../../platform/redis/wake.ts';
import { readHeads } from './feed.store.ts';

/** Lets everybody in a process wait for new events at the cost of one small question at a time. */
export interface EventWatch {
  /** Resolves when the account has events beyond this number, after `timeoutMs`, or when it is aborted. */
  waitBeyond(accountId: number, sequence: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

interface Waiter {
  accountId: number;
  sequence: number;
  wake(): void;
}

/** Without a hint it is looked this often. */
const lookEveryMs = 1_000;
/** Hints that come closer together are one. */
const gatherMs = 20;

export function createEventWatch(db: Database, wakes: Pick<WakeListener, 'onWake'>): EventWatch {
  const waiters = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isDue = false;

  function lookIn(delayMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), delayMs);
  }

  async function look(): Promise<void> {
    isDue = false;
    if (waiters.size === 0) return;
    isLooking = true;
    try {
      const heads = await readHeads(db, [...new Set([...waiters].map(({ accountId }) => accountId))]);
      for (const waiter of waiters) if ((heads.get(waiter.accountId) ?? 0) > waiter.sequence) waiter.wake();
    } catch {
      // The database is away: whoever waits is none the wiser, and it is looked again soon.
    } finally {
      isLooking = false;
      if (waiters.size > 0) lookIn(isDue ? gatherMs : lookEveryMs);
    }
  }

  function lookSoon(): void {
    if (isDue || waiters.size === 0) return;
    isDue = true;
    if (!isLooking) lookIn(gatherMs);
  }

  const stopListening = wakes.onWake(lookSoon);
  return {
    async waitBeyond(accountId, sequence, timeoutMs, signal) {
      if (signal.aborted || timeoutMs <= 0) return;
      await new Promise<void>((resolve) => {
        const waiter = { accountId, sequence, wake };
        const timeout = setTimeout(wake, timeoutMs);
        function wake(): void {
          clearTimeout(timeout);
          signal.removeEventListener('abort', wake);
          waiters.delete(waiter);
          resolve();
        }
        signal.addEventListener('abort', wake, { once: true });
        waiters.add(waiter);
        // Something may have come since the log was read.
        lookSoon();
      });
    },
    close() {
      stopListening();
      clearTimeout(timer);
      for (const { wake } of [...waiters]) wake();
    },
  };
}
