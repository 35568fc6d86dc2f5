import { Refusal } from './errors.ts';

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Writes items in batches of up to `maxBatch`. Items that arrive during a write form the next batch, so no item waits
 * for a batch to fill. Items of a failed batch are retried one by one, unless the failure is a refusal.
 */
export function inBatches<Item, Result>(
  write: (items: Item[]) => Promise<Result[]>,
  maxBatch: number,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isWriting = false;

  const writeTogether = async (batch: Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await write(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      const isHopeless = batch.length === 1 || error instanceof Refusal;
      if (isHopeless) for (const { reject } of batch) reject(error);
      else for (const each of batch) await writeTogether([each]);
    }
  };
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) await writeTogether(waiting.splice(0, maxBatch));
    isWriting = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isWriting) return;
      isWriting = true;
      // Collects the items that arrive in the same tick.
      process.nextTick(() => void writeAll());
    });
}

/** Calls `work` until it handles fewer than `size` items, or the signal aborts. Returns the number of items. */
export async function eachBatch(
  size: number,
  work: () => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0;
  let count = size;
  while (count === size && !signal?.aborted) {
    count = await work();
    total += count;
  }
  return total;
}
