import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../../../platform/errors.ts';
import { budgetRefusal } from '../../limits/index.ts';

/** Limits the exports of a process: one per user, those of an account and in total at once, and their rows per second. */
export interface ExportSlots {
  /** Reserves a slot; the returned function frees it. `most` is the budget of the account; null means none. */
  take(owner: { accountId: number; userId: number }, most: number | null): () => void;
  /** Waits until an export may read this many rows. Exports take turns. */
  turn(rows: number): Promise<void>;
}

/** The exports take turns on their few connections. With more of them, each would wait too long for its turn. */
const maxPerProcess = 20;
/** Of all exports of a process together. Without a limit, a few of them would keep it from serving other requests. */
const maxRowsPerSecond = 5_000;

export function createExportSlots(
  rowsPerSecond = maxRowsPerSecond,
  pause: (ms: number) => Promise<unknown> = sleep,
): ExportSlots {
  const accountOf = new Map<number, number>();
  let freeAtMs = 0;
  return {
    async turn(rows) {
      const nowMs = performance.now();
      const waitMs = Math.max(freeAtMs - nowMs, 0);
      freeAtMs = nowMs + waitMs + (rows * 1_000) / rowsPerSecond;
      if (waitMs > 0) await pause(waitMs);
    },
    take({ accountId, userId }, most) {
      if (accountOf.has(userId)) {
        const message = 'You already have an export running. Wait until it ends, or cancel it.';
        throw new Refusal('CAPACITY_EXCEEDED', message, { retryAfterSeconds: 5 });
      }
      const running = [...accountOf.values()].filter((each) => each === accountId).length;
      if (most !== null && running >= most) throw budgetRefusal('exports', most);
      if (accountOf.size >= maxPerProcess) {
        const message = 'Too many exports are running right now. Try again later.';
        throw new Refusal('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 5 });
      }
      accountOf.set(userId, accountId);
      let isFree = false;
      return () => {
        // Only once: by the second time, the user may have another export.
        if (!isFree) accountOf.delete(userId);
        isFree = true;
      };
    },
  };
}
