import type { Database } from '../../platform/db/database.ts';
import type { WakeListener } from '../../platform/redis/wake.ts';
import { readHeads } from './feed.store.ts';

/** Lets all requests of a process wait for new events with one small query at a time. */
export interface EventWatch {
  /** Resolves when the account has events after this number, after `timeoutMs`, or when aborted. */
  waitBeyond(accountId: number, sequence: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

interface Waiter {
  accountId: number;
  sequence: number;
  wake(): void;
}

/** Poll interval; wake-ups make it faster. */
const lookEveryMs = 1_000;
/** Debounce time of wake-ups. */
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
      // Database unavailable; retry soon.
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
        // Events may have arrived since the log was read.
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
