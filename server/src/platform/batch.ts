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
  const submit = inBatchesPerKey((_: 'all', items: Item[]) => write(items), maxBatch);
  return (item) => submit('all', item);
}

/** Like `inBatches`, with separate batches for each key. At most one batch of a key is written at a time. */
export function inBatchesPerKey<Key, Item, Result>(
  write: (key: Key, items: Item[]) => Promise<Result[]>,
  maxBatch: number,
): (key: Key, item: Item) => Promise<Result> {
  const queues = new Map<Key, Waiting<Item, Result>[]>();

  const writeTogether = async (key: Key, batch: Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await write(
        key,
        batch.map(({ item }) => item),
      );
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      const isHopeless = batch.length === 1 || error instanceof Refusal;
      if (isHopeless) for (const { reject } of batch) reject(error);
      else for (const each of batch) await writeTogether(key, [each]);
    }
  };
  const writeAll = async (key: Key, waiting: Waiting<Item, Result>[]): Promise<void> => {
    while (waiting.length > 0) await writeTogether(key, waiting.splice(0, maxBatch));
    queues.delete(key);
  };

  return (key, item) =>
    new Promise((resolve, reject) => {
      const entry = { item, resolve, reject };
      const waiting = queues.get(key);
      if (waiting) {
        waiting.push(entry);
        return;
      }
      const queue = [entry];
      queues.set(key, queue);
      // Collects the items that arrive in the same tick.
      process.nextTick(() => void writeAll(key, queue));
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
