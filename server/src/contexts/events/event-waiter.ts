import type { Database } from '../../platform/db/database.ts';
import type { WakeListener } from '../../platform/redis/wake.ts';
import { readHeads } from './feed.store.ts';

/** Waits for new events on behalf of all requests of a process, with one small query at a time. */
export interface EventWaiter {
  /** Resolves when the account has events after this number, after `timeoutMs`, or when aborted. */
  waitForEventsAfter(
    accountId: number,
    sequence: number,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<void>;
  close(): void;
}

interface Waiter {
  accountId: number;
  sequence: number;
  wake(): void;
}

/** Poll interval; wake-ups make it faster. */
const pollMs = 1_000;
/** Debounce time of wake-ups. */
const debounceMs = 20;

export function createEventWaiter(db: Database, wakes: Pick<WakeListener, 'onWake'>): EventWaiter {
  const waiters = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;
  let isChecking = false;
  let isDue = false;

  function scheduleCheck(delayMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void check(), delayMs);
  }

  async function check(): Promise<void> {
    isDue = false;
    if (waiters.size === 0) return;
    isChecking = true;
    try {
      const heads = await readHeads(db, [...new Set([...waiters].map(({ accountId }) => accountId))]);
      for (const waiter of waiters) if ((heads.get(waiter.accountId) ?? 0) > waiter.sequence) waiter.wake();
    } catch {
      // If the database is unavailable, retry soon.
    } finally {
      isChecking = false;
      if (waiters.size > 0) scheduleCheck(isDue ? debounceMs : pollMs);
    }
  }

  function checkSoon(): void {
    if (isDue || waiters.size === 0) return;
    isDue = true;
    if (!isChecking) scheduleCheck(debounceMs);
  }

  const stopListening = wakes.onWake(checkSoon);
  return {
    async waitForEventsAfter(accountId, sequence, timeoutMs, signal) {
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
        checkSoon();
      });
    },
    close() {
      stopListening();
      clearTimeout(timer);
      for (const { wake } of [...waiters]) wake();
    },
  };
}
