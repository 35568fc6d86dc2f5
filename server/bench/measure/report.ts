import type { Block, Idle } from './blocks.ts';
import { type Comparison, deriveCapacity, medianCosts } from './pairs.ts';
import { type Estimate, formatEstimate, median } from './statistics.ts';

/** A short run checks that the benchmark works; its results decide nothing. */
export interface Judging {
  isShort: boolean;
}

export const printBlock = ({ side, units, costMs, values, steal, calibrationMs }: Block): void => {
  const others = Object.entries(values).map(([name, value]) => `, ${name} ${value.toFixed(1)}`);
  console.log(
    `${side}: ${units} units, ${costMs.toFixed(3)} ms each${others.join('')}, steal ${(steal * 100).toFixed(1)} %, ` +
      `calibration ${calibrationMs.toFixed(2)} ms`,
  );
};

/** Prints the cost per unit of each process of both sides and their capacities; returns the capacity of side `a`. */
export function reportCosts(
  name: string,
  { pairs, dropped, isComplete, idle }: Comparison,
  { isShort }: Judging,
): number {
  console.log(`${name}: ${pairs.length} usable pairs, ${dropped} dropped`);
  if (!isComplete) {
    console.log(`${name}: not reliable, the machine was disturbed in too many blocks`);
    if (!isShort) process.exitCode = 1;
  }
  const report = (blocks: Block[], of: Idle): number => {
    const costMs = median(blocks.map((block) => block.costMs));
    const capacity = deriveCapacity(costMs, of);
    console.log(
      `${name}.cpu ${blocks[0]?.side}: ${costMs.toFixed(3)} ms per unit (${listCosts(medianCosts(blocks), 'ms')}); ` +
        `idle ${listCosts(of, 'ms/s')}; capacity of one CPU ${capacity.toFixed(1)} per second`,
    );
    return capacity;
  };
  const capacity = report(
    pairs.map(({ a }) => a),
    idle.a,
  );
  report(
    pairs.map(({ b }) => b),
    idle.b,
  );
  return capacity;
}

const listCosts = (costs: Map<string, number>, unit: string): string =>
  [...costs].map(([name, ms]) => `${name} ${ms.toFixed(3)} ${unit}`).join(', ');

export function judgeEstimate(
  name: string,
  ratio: Estimate,
  { bar, kind, isShort }: { bar: number; kind: 'most' | 'least' } & Judging,
): void {
  console.log(`${name}: ${formatEstimate(ratio)}`);
  judge(name, ratio.median, { bar, kind, isShort });
}

export function judge(
  name: string,
  value: number,
  { bar, kind, isShort, digits = 2 }: { bar: number; kind: 'most' | 'least'; digits?: number } & Judging,
): void {
  console.log(`ratio ${name} ${value.toFixed(digits)} (bar ${bar.toFixed(digits)})`);
  const isMet = kind === 'most' ? value <= bar : value >= bar;
  if (!isMet && !isShort) process.exitCode = 1;
}
