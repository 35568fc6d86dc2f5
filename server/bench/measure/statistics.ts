export interface Estimate {
  median: number;
  /** Limits of the 95 % bootstrap interval of the median. */
  low: number;
  high: number;
  count: number;
}

const resamples = 2_000;
const tail = 0.025;

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** Estimates the median of paired ratios. `random` returns values from 0 up to, not including, 1. */
export function estimate(values: number[], random: () => number = Math.random): Estimate {
  const draw = (): number =>
    median(values.map(() => values[Math.floor(random() * values.length)] ?? Number.NaN));
  const medians = Array.from({ length: resamples }, draw).toSorted((a, b) => a - b);
  const at = (share: number): number => medians[Math.floor(share * (resamples - 1))] ?? Number.NaN;
  return { median: median(values), low: at(tail), high: at(1 - tail), count: values.length };
}

export const formatEstimate = ({ median, low, high, count }: Estimate): string =>
  `${median.toFixed(3)} (95 % interval ${low.toFixed(3)} to ${high.toFixed(3)}, ${count} pairs)`;
