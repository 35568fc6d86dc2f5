import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findSpellings } from '../../../src/platform/filter/spellings.ts';

/** Serves probes from a sorted array, as an index in collation "C" does. */
const indexOf = (values: string[]) => {
  const sorted = [...new Set(values)].sort();
  return { sorted, probe: async (from: string) => sorted.find((value) => value >= from) };
};

const text = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'B', '@', '.', '1', 'z'), maxLength: 5 });

it('COMPAT-06 finds every spelling of a value with few probes, and nothing else', async () => {
  const property = fc.asyncProperty(fc.array(text, { maxLength: 12 }), text, async (values, wanted) => {
    const { sorted, probe } = indexOf(values);
    const folded = wanted.toLowerCase();
    const expected = sorted.filter((value) => value.toLowerCase() === folded);
    expect(await findSpellings(folded, probe)).toEqual(expected);
  });
  await fc.assert(property, { numRuns: 2_000, seed: 11 });
});

it('COMPAT-06 needs two probes for an address among thousands of others', async () => {
  const others = Array.from({ length: 5_000 }, (_, i) => `user${i}@empresa.test`);
  const { probe } = indexOf([...others, 'Ana@empresa.test']);
  let probes = 0;
  const found = await findSpellings('ana@empresa.test', async (from) => {
    probes += 1;
    return await probe(from);
  });
  expect(found).toEqual(['Ana@empresa.test']);
  expect(probes).toBe(2);
});

it('stops after a bounded number of probes', async () => {
  const letters = 'abcdefgh';
  const values = Array.from({ length: 2 ** letters.length }, (_, bits) =>
    [...letters].map((letter, i) => (bits & (1 << i) ? letter.toUpperCase() : letter)).join(''),
  );
  expect(await findSpellings(letters, indexOf(values).probe)).toBeUndefined();
});

it('finds nothing for a text outside ASCII', async () => {
  expect(await findSpellings('ß@x.test', indexOf(['ss@x.test', 'SS@x.test']).probe)).toEqual([]);
});
