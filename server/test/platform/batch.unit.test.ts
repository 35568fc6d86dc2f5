import { expect, test } from 'vitest';
import { inBatchesPerKey } from '../../src/platform/batch.ts';
import { Refusal } from '../../src/platform/errors.ts';

/** A writer whose writes end when released, in order. */
function heldWriter() {
  const written: [string, number[]][] = [];
  const held: PromiseWithResolvers<void>[] = [];
  async function write(key: string, items: number[]): Promise<number[]> {
    written.push([key, items]);
    const hold = Promise.withResolvers<void>();
    held.push(hold);
    await hold.promise;
    return items.map((item) => item * 10);
  }
  return { written, write, release: (index: number) => held[index]?.resolve() };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('LIMIT-18 items of a key that arrive during a write form the next batch; other keys do not wait', async () => {
  const { written, write, release } = heldWriter();
  const submit = inBatchesPerKey(write, 2);
  const first = submit('a', 1);
  await nextTurn();
  const later = [submit('a', 2), submit('a', 3), submit('a', 4), submit('b', 5)];
  await nextTurn();
  expect(written).toEqual([
    ['a', [1]],
    ['b', [5]],
  ]);
  release(0);
  expect(await first).toBe(10);
  await nextTurn();
  expect(written.slice(2)).toEqual([['a', [2, 3]]]);
  release(2);
  await nextTurn();
  expect(written.slice(3)).toEqual([['a', [4]]]);
  release(1);
  release(3);
  expect(await Promise.all(later)).toEqual([20, 30, 40, 50]);
});

test('LIMIT-18 after a failed batch its items are written one by one, and not after a refusal', async () => {
  const failing = inBatchesPerKey(async (_key: string, items: number[]) => {
    if (items.includes(2)) throw new Error('two');
    return items;
  }, 10);
  const outcomes = await Promise.allSettled([1, 2, 3].map((item) => failing('a', item)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);

  let writes = 0;
  const refusing = inBatchesPerKey(async (): Promise<number[]> => {
    writes += 1;
    throw new Refusal('SERVICE_UNAVAILABLE', 'Try again shortly.');
  }, 10);
  const refused = await Promise.allSettled([1, 2].map((item) => refusing('a', item)));
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(writes).toBe(1);
});
