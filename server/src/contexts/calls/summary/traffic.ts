/** Outbound calls to one area or country code. */
export interface Destination {
  /** The first four digits, with the country code. */
  prefix: string;
  calls: number;
  minutePriceMicros: number | null;
  /** Ids of the running calls. */
  running: string[];
}

/** Outbound calls of an account in the last 15 minutes. */
export interface Traffic {
  accountId: number;
  timezone: string;
  calls: number;
  ended: number;
  /** Of the ended calls. */
  answered: number;
  /** Of the answered calls, those of up to 6 s. */
  short: number;
  spentMicros: number;
  destinations: Destination[];
}

/** Calls of an account in the 28 days before the last hour. */
export interface TrafficHistory {
  /** Days since the first of these calls. */
  days: number;
  calls: number;
  answered: number;
  short: number;
  talkSeconds: number;
  spentMicros: number;
  highestHourMicros: number;
  /** Calls by hour of the week, from Monday 0:00 in the account's time zone. */
  byHourOfWeek: readonly number[];
}
