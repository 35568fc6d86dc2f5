import { type Block, type Idle, measureBlock, measureIdle, type Side } from './blocks.ts';
import type { Calibration } from './calibration.ts';
import { type Estimate, estimate, median } from './statistics.ts';

export interface PairOptions {
  /** Pairs of blocks that must be usable. */
  pairs: number;
  idleMs: number;
  calibration: Calibration;
  /** Short runs use all pairs. */
  isShort?: boolean;
  onBlock?: (block: Block) => void;
}

/** A block of either side, measured one after the other. */
export interface Pair {
  a: Block;
  b: Block;
}

export interface Comparison {
  /** Usable pairs. */
  pairs: Pair[];
  /** Pairs with a block that was measured while the machine was disturbed. */
  dropped: number;
  /** Whether there are as many usable pairs as required. */
  isComplete: boolean;
  idle: { a: Idle; b: Idle };
}

const maxSteal = 0.02;
/** Largest difference of the CPU's speed between the blocks of a pair. Smaller ones are corrected in the CPU time. */
const maxDrift = 0.25;
/** Dropped pairs are measured again, up to this many times the required pairs in total. */
const maxAttempts = 2;

/** Measures both sides alternately, in alternating order, until enough pairs are usable. */
export async function comparePairs(a: Side, b: Side, options: PairOptions): Promise<Comparison> {
  const rest = async (side: Side): Promise<Idle> => {
    await side.prepare?.();
    return await measureIdle(side.watched, options.idleMs, options.calibration);
  };
  const idle = { a: await rest(a), b: await rest(b) };
  const all: Pair[] = [];
  let usable: Pair[] = [];
  while (usable.length < options.pairs && all.length < options.pairs * maxAttempts) {
    const measure = async (side: Side, of: Idle): Promise<Block> => {
      await side.prepare?.();
      const block = await measureBlock(side, of, options.calibration);
      options.onBlock?.(block);
      return block;
    };
    if (all.length % 2 === 0) {
      const first = await measure(a, idle.a);
      all.push({ a: first, b: await measure(b, idle.b) });
    } else {
      const first = await measure(b, idle.b);
      all.push({ a: await measure(a, idle.a), b: first });
    }
    usable = options.isShort ? all : usablePairs(all);
  }
  return {
    pairs: usable,
    dropped: all.length - usable.length,
    isComplete: usable.length >= options.pairs,
    idle,
  };
}

/** Leaves out pairs with a block during which the hypervisor took CPU time, or with blocks of different speed. */
export const usablePairs = (pairs: Pair[]): Pair[] =>
  pairs.filter(
    ({ a, b }) =>
      Math.max(a.steal, b.steal) <= maxSteal && Math.abs(a.calibrationMs / b.calibrationMs - 1) <= maxDrift,
  );

/** Estimates the ratio of a value of side `a` to that of side `b`. */
export const estimateRatio = (pairs: Pair[], pick: (block: Block) => number): Estimate =>
  estimate(pairs.map(({ a, b }) => pick(a) / pick(b)));

/** Returns the median CPU milliseconds per unit of every process. */
export function medianCosts(blocks: Block[]): Map<string, number> {
  const names = blocks[0] ? [...blocks[0].costs.keys()] : [];
  return new Map(
    names.map((name) => [name, median(blocks.map(({ costs }) => costs.get(name) ?? Number.NaN))]),
  );
}

/** Returns the units per second that one CPU can process beside the idle cost. */
export function deriveCapacity(costMs: number, idle: Idle): number {
  const idleMs = [...idle.values()].reduce((sum, ms) => sum + ms, 0);
  return (1000 - idleMs) / costMs;
}
