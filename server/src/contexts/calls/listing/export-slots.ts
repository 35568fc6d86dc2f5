import { Refusal } from '../../../platform/errors.ts';

/** Limits the concurrent exports of a process: one per user, and in total. */
export interface ExportSlots {
  /** Reserves a slot; the returned function frees it. */
  take(userId: number): () => void;
}

/** The exports take turns on their few connections. With more of them, each would wait too long for its turn. */
const maxPerProcess = 20;

export function createExportSlots(): ExportSlots {
  const users = new Set<number>();
  return {
    take(userId) {
      if (users.has(userId)) {
        const message = 'You already have an export running. Wait until it ends, or cancel it.';
        throw new Refusal('CAPACITY_EXCEEDED', message, { retryAfterSeconds: 5 });
      }
      if (users.size >= maxPerProcess) {
        const message = 'Too many exports are running right now. Try again later.';
        throw new Refusal('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 5 });
      }
      users.add(userId);
      let isFree = false;
      return () => {
        // Only once: by the second time, the user may have another export.
        if (!isFree) users.delete(userId);
        isFree = true;
      };
    },
  };
}
