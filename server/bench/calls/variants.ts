import type { BenchLine, LineCounts } from './lines.ts';
import type { CallPlatform } from './platform.ts';

/** Conditions under which the cost of a call is compared with that of the small platform. */
export interface Variant {
  counts?: LineCounts;
  /** Number of connected media nodes. */
  nodes?: number;
  /** Returns the lines that place calls. */
  choose?(lines: BenchLine[]): BenchLine[];
  /** Creates the conditions before the programs start. */
  prepare?(
    platform: CallPlatform,
    lines: BenchLine[],
    keep: (each: { stop(): Promise<void> }) => void,
  ): Promise<void>;
}

export const ordinary: Variant = {};

const variants: Record<string, (isShort: boolean) => Variant> = {
  /** All calls belong to one account, so that they compete for its balance. */
  'hot-account': () => ({
    choose: (lines) => lines.filter(({ domain }) => domain === lines[0]?.domain),
  }),
};

export function findVariant(name: string, isShort: boolean): Variant {
  const make = variants[name];
  if (!make) throw new Error(`Name a variant: ${Object.keys(variants).join(', ')}.`);
  return make(isShort);
}
