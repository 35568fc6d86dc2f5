import { expect, test } from 'vitest';
import { chooseNode, type FreeNode } from '../../../../src/contexts/telephony/nodes/node-directory.ts';

const nodesWith = (...freeSlots: number[]): FreeNode[] =>
  freeSlots.map((free, index) => ({ node: `m${index + 1}`, epoch: index, freeSlots: free }));

function chooseTimes(nodes: FreeNode[], times: number): Map<string | undefined, number> {
  const counts = new Map<string | undefined, number>();
  for (let index = 0; index < times; index += 1) {
    const name = chooseNode(nodes, Math.random)?.node;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

test('CALL-48 two nodes share calls evenly, and a busier node gets fewer', () => {
  const even = chooseTimes(nodesWith(1_000, 1_000), 100);
  expect(even).toEqual(
    new Map([
      ['m1', 50],
      ['m2', 50],
    ]),
  );
  const uneven = nodesWith(1_000, 900);
  expect(chooseTimes(uneven, 300)).toEqual(
    new Map([
      ['m1', 200],
      ['m2', 100],
    ]),
  );
});

test('CALL-48 many nodes share calls evenly although only two are compared', () => {
  const nodes = nodesWith(...Array.from({ length: 11 }, () => 10_000));
  const counts = [...chooseTimes(nodes, 11_000).values()];
  expect(counts).toHaveLength(11);
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(50);
});

test('CALL-48 no node is chosen beyond its free slots, and none if there is none', () => {
  expect(chooseTimes(nodesWith(3), 5)).toEqual(
    new Map([
      ['m1', 3],
      [undefined, 2],
    ]),
  );
  expect(chooseNode([], Math.random)).toBeUndefined();
});

test('CALL-48 the lease of the chosen node is returned', () => {
  expect(chooseNode([{ node: 'm7', epoch: 12, freeSlots: 1 }], () => 0)).toEqual({ node: 'm7', epoch: 12 });
});
