/** Limits of an account. The defaults are low, to limit the damage of a stolen token. */
export interface Caps {
  callsPerSecond: number;
  /** If undefined, the number of extensions, but at least `leastConcurrentCalls`. */
  concurrentCalls: number | undefined;
  dailySpendMicros: number;
  pricePerMinuteMicros: number;
  /** ISO 3166 codes of the countries that may be called. */
  countries: readonly string[];
}

/** Must equal the value in `hold_for_call`; a test compares them. */
export const leastConcurrentCalls = 10;

export const defaultCaps: Caps = {
  callsPerSecond: 5,
  concurrentCalls: undefined,
  dailySpendMicros: 500_000_000,
  pricePerMinuteMicros: 1_000_000,
  countries: ['BR'],
};

/** The operator's settings; null means the default. */
export interface SetCaps {
  callsPerSecond: number | null;
  concurrentCalls: number | null;
  dailySpendMicros: number | null;
  pricePerMinuteMicros: number | null;
  countries: string[] | null;
}

export const effectiveCaps = (set: SetCaps | undefined): Caps => ({
  callsPerSecond: set?.callsPerSecond ?? defaultCaps.callsPerSecond,
  concurrentCalls: set?.concurrentCalls ?? defaultCaps.concurrentCalls,
  dailySpendMicros: set?.dailySpendMicros ?? defaultCaps.dailySpendMicros,
  pricePerMinuteMicros: set?.pricePerMinuteMicros ?? defaultCaps.pricePerMinuteMicros,
  countries: set?.countries ?? defaultCaps.countries,
});
