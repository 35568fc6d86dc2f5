const lowestHertz = 500;
const highestHertz = 3_200;
/** Tones at multiples of 50 Hz are orthogonal in windows of 20 ms. */
const stepHertz = 50;

/** The tones of legs, above the ringback tone (425 Hz) and below the first word. */
export const frequencies: readonly number[] = Array.from(
  { length: (highestHertz - lowestHertz) / stepHertz + 1 },
  (_, index) => lowestHertz + index * stepHertz,
);

export interface FrequencyPool {
  /** Returns a frequency that no running call uses, the least recently used one. */
  take(): number;
  release(hertz: number): void;
}

export function createFrequencyPool(order: readonly number[]): FrequencyPool {
  const free = [...order];
  return {
    take() {
      const hertz = free.shift();
      if (hertz === undefined) throw new Error('More legs than frequencies: reduce --concurrency.');
      return hertz;
    },
    release: (hertz) => void free.push(hertz),
  };
}
