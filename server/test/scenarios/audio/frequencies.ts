const lowestHertz = 500;
const highestHertz = 3_200;
/** Tones at multiples of 50 Hz are orthogonal in windows of 20 ms. */
const stepHertz = 50;

/** The tones of legs, above the ringback tone (425 Hz) and below the first word. */
export const frequencies: readonly number[] = Array.from(
  { length: (highestHertz - lowestHertz) / stepHertz + 1 },
  (_, index) => lowestHertz + index * stepHertz,
);

/** Distance of the two tones of a call. */
const leastOfCall = 300;

/** Time after its end in which audio of a call may still appear in another one: late packets, reused ports. */
const lingerMs = 5_000;

export interface FrequencyPool {
  /**
   * Returns the frequency that is farthest from those in use or just released. A browser that conceals lost packets
   * repeats a piece of the tone, which shifts its frequency by up to 200 Hz, so close neighbours would look like it. The
   * second tone of a call is not near the first: a window of the recording in which one ends and the other begins
   * would look like the frequency between them.
   */
  take(first?: number): number;
  release(hertz: number): void;
  /** Returns the frequencies that were in use at or shortly before a time, or since: those of calls that may be heard. */
  inUseSince(ms: number): number[];
}

export function createFrequencyPool(order: readonly number[], now: () => number = Date.now): FrequencyPool {
  const free = [...order];
  const taken = new Set<number>();
  const releasedAtMs = new Map<number, number>();
  const inUseSince = (ms: number): number[] => [
    ...taken,
    ...[...releasedAtMs].flatMap(([hertz, atMs]) => (atMs >= ms - lingerMs ? hertz : [])),
  ];
  return {
    inUseSince,
    take(first = Number.NEGATIVE_INFINITY) {
      const recent = inUseSince(now());
      const distances = free.map((hertz) =>
        Math.abs(hertz - first) < leastOfCall
          ? Number.NEGATIVE_INFINITY
          : Math.min(...recent.map((other) => Math.abs(other - hertz))),
      );
      // Among equals, the least recently used one.
      const hertz = free[distances.indexOf(Math.max(...distances))];
      if (hertz === undefined) throw new Error('More legs than frequencies: reduce --concurrency.');
      free.splice(free.indexOf(hertz), 1);
      releasedAtMs.delete(hertz);
      taken.add(hertz);
      return hertz;
    },
    release(hertz) {
      taken.delete(hertz);
      releasedAtMs.set(hertz, now());
      free.push(hertz);
    },
  };
}
