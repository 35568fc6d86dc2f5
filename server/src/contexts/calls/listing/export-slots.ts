import { Refusal } from '../../../platform/errors.ts';
import { budgetRefusal } from '../../limits/index.ts';

/** Limits the concurrent exports of a process: one per user, those of an account, and in total. */
export interface ExportSlots {
  /** Reserves a slot; the returned function frees it. `most` is the budget of the account; null means none. */
  take(owner: { accountId: number; userId: number }, most: number | null): () => void;
}

/** The exports take turns on their few connections. With more of them, each would wait too long for its turn. */
const maxPerProcess = 20;

export function createExportSlots(): ExportSlots {
  const accountOf = new Map<number, number>();
  return {
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
