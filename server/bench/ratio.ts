const resamples = 2_000;

/** Prints the median of the ratios of pairs with a bootstrap interval; above the bar the benchmark fails. */
export function reportRatio(name: string, ratios: number[], bar: number): void {
  const draw = () => median(ratios.map(() => ratios[Math.floor(Math.random() * ratios.length)] ?? 1));
  const medians = Array.from({ length: resamples }, draw).toSorted((a, b) => a - b);
  const [low, high] = [0.025, 0.975].map((share) => medians[Math.floor(share * resamples)] ?? 1);
  console.log(`${name}: 95 % interval ${low?.toFixed(4)} to ${high?.toFixed(4)}, ${ratios.length} pairs`);
  console.log(`ratio ${name} ${median(ratios).toFixed(4)} (bar ${bar.toFixed(2)})`);
  if (!(median(ratios) <= bar)) process.exitCode = 1;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle - 0.5)] ?? 1) + (sorted[Math.floor(middle)] ?? 1)) / 2;
}
