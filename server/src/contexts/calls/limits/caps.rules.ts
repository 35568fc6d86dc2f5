/** Limits of an account. The defaults are low, to limit the damage of a stolen token. */
export interface Caps {
  callsPerSecond: number;
  /**
   * If undefined, the number of extensions, at least `leastConcurrentCalls` and at most the default budget. The operator's
   * cap precedes the budget, and a budget that was set for the account precedes the extensions.
   */
  concurrentCalls: number | undefined;
  /** How long a call may last; undefined if it is not limited. */
  mostCallSeconds: number | undefined;
  /** Concurrent calls from outside to one number. They are no concurrent calls of the account. */
  inboundCallsPerNumber: number;
  dailySpendMicros: number;
  pricePerMinuteMicros: number;
  /** ISO 3166 codes of the countries that may be called. */
  countries: readonly string[];
  /** Whether outbound calls are refused until the operator lifts it. */
  isSuspended: boolean;
}

/** Must equal the values in `hold_for_call` and `place_call`; a test compares them. */
export const leastConcurrentCalls = 10;

/** Budgets of the account that apply to calls. */
export interface CallBudgets {
  /** Null if there is none, or a default above `leastConcurrentCalls`, which the number of extensions may lower. */
  calls: number | null;
  callMinutes: number | null;
}

export const defaultCaps = {
  callsPerSecond: 5,
  inboundCallsPerNumber: 10,
  dailySpendMicros: 500_000_000,
  pricePerMinuteMicros: 1_000_000,
  countries: ['BR'],
} as const;

/** The operator's settings; null means the default. */
export interface SetCaps {
  callsPerSecond: number | null;
  concurrentCalls: number | null;
  inboundCallsPerNumber: number | null;
  dailySpendMicros: number | null;
  pricePerMinuteMicros: number | null;
  countries: string[] | null;
}

export const effectiveCaps = (
  set: (SetCaps & { isSuspended: boolean }) | undefined,
  budgets: CallBudgets,
): Caps => ({
  callsPerSecond: set?.callsPerSecond ?? defaultCaps.callsPerSecond,
  concurrentCalls: set?.concurrentCalls ?? budgets.calls ?? undefined,
  mostCallSeconds: budgets.callMinutes === null ? undefined : budgets.callMinutes * 60,
  inboundCallsPerNumber: set?.inboundCallsPerNumber ?? defaultCaps.inboundCallsPerNumber,
  dailySpendMicros: set?.dailySpendMicros ?? defaultCaps.dailySpendMicros,
  pricePerMinuteMicros: set?.pricePerMinuteMicros ?? defaultCaps.pricePerMinuteMicros,
  countries: set?.countries ?? defaultCaps.countries,
  isSuspended: set?.isSuspended ?? false,
});
