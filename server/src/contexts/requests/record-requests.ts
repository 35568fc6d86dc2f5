import type { Database } from '../../platform/db/database.ts';
import { insertRequests, type RequestRecord } from './request.store.ts';

/** Records requests for the request log, in batches, so that no request waits for it. */
export interface RequestLog {
  note(record: RequestRecord): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface RequestLogDeps {
  db: Database;
  /** Called with the number of records that are lost. */
  onLost(count: number, error?: unknown): void;
}

const flushEveryMs = 1_000;
const batchSize = 500;
/** Bounds the memory while the database is slow; about 5 MB. */
const maxPending = 10_000;

export function createRequestLog({ db, onLost }: RequestLogDeps): RequestLog {
  let pending: RequestRecord[] = [];
  let writing: Promise<void> | undefined;
  let isClosing = false;

  /** Writes batches, one at a time, while at least this many records are pending. */
  async function writeBatches(atLeast: number): Promise<void> {
    while (pending.length >= atLeast) {
      const batch = pending.slice(0, batchSize);
      pending = pending.slice(batchSize);
      try {
        await insertRequests(db, batch);
      } catch (error) {
        onLost(batch.length, error);
        // A process that stops must not wait for a database that is down.
        if (isClosing) onLost(pending.splice(0).length);
      }
    }
  }

  function write(atLeast: number): Promise<void> {
    writing ??= writeBatches(atLeast).finally(() => {
      writing = undefined;
    });
    return writing;
  }

  async function flush(): Promise<void> {
    await writing;
    await write(1);
  }

  const timer = setInterval(() => void write(1), flushEveryMs);
  timer.unref();
  return {
    note(record) {
      if (pending.length >= maxPending) return onLost(1);
      pending.push(record);
      if (pending.length >= batchSize) void write(batchSize);
    },
    flush,
    async close() {
      isClosing = true;
      clearInterval(timer);
      await flush();
    },
  };
}
