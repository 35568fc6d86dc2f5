import type { Rate, Settlement } from '../../../../src/contexts/billing/rates/rating.rules.ts';
import type { Database } from '../../../../src/platform/db/database.ts';
import { microsFromReais } from '../../../../src/platform/money.ts';
import {
  insertDeck,
  insertPlainAccounts,
  type OwnerQuery,
  type RateRow,
} from '../../../harness/fixtures/billing-rows.ts';

/** State confirmed to the clients; nothing is read back from the ledger. */
export interface ModelState {
  db: Database;
  query: OwnerQuery;
  accounts: ModelAccount[];
  nowMs: number;
  tally: Record<string, number>;
  /** Operations to repeat, by any client. */
  repeats: (() => Promise<void>)[];
}

export interface ModelAccount {
  id: number;
  /** Confirmed charges, refunds and adjustments. */
  creditMicros: number;
  /** Confirmed prices of calls. */
  priceMicros: number;
  adjustments: Set<string>;
  charges: ModelCharge[];
  calls: ModelCall[];
  /** Calls abandoned by their client: they expire unless another client settles them. */
  abandoned: ModelCall[];
  /** Calls that ended since the last comparison. */
  ended: ModelCall[];
  refusals: InsufficientCredit[];
  ledger: { number: number; availableMicros: number; heldMicros: number; timesLow: number };
}

export interface ModelCharge {
  id: number;
  amountMicros: number;
  feeMicros: number;
  isCredited: boolean;
  isTakenBack: boolean;
}

export interface ModelCall {
  callId: string;
  account: ModelAccount;
  destination: string;
  rate: Rate;
  startedAtMs: number;
  /** The longest confirmed funding; 0 before the first. */
  fundedSeconds: number;
  /** Call lengths passed to settlement; the first one applies. */
  askedSeconds: Set<number>;
  settlement: Settlement | undefined;
}

/** A refusal for insufficient credit, which must be correct at some moment between these two transactions. */
export interface InsufficientCredit {
  firstNumber: number;
  lastNumber: number;
  neededMicros: number;
  operation: string;
}

/** Rates: cheap and expensive, with odd steps, without a minimum, free of charge, rounding to zero, in hourly steps. */
const rates: RateRow[] = [
  { prefix: '551', price: 0.1 },
  { prefix: '5511', price: 0.3 },
  { prefix: '552', price: 1.2345, minimum: 0, step: 1, free: 0 },
  { prefix: '553', price: 0.333333, minimum: 7, step: 13, free: 20 },
  { prefix: '554', price: 7.77, minimum: 60, step: 60, free: 0 },
  { prefix: '555', price: 0.000001, minimum: 30, step: 6, free: 3 },
  { prefix: '556', price: 0 },
  { prefix: '557', price: 0.02, minimum: 30, step: 3600, free: 3 },
];
export const destinations = rates.map(({ prefix }) => `${prefix}98765432`);

export function findRate(destination: string): Rate {
  const matching = rates.filter(({ prefix }) => destination.startsWith(prefix));
  const longest = matching.sort((one, other) => other.prefix.length - one.prefix.length)[0];
  if (!longest) throw new Error(`There is no rate for ${destination}.`);
  const { price, minimum = 30, step = 6, free = 3 } = longest;
  return {
    pricePerMinuteMicros: microsFromReais(price),
    minimumSeconds: minimum,
    stepSeconds: step,
    freeSeconds: free,
  };
}

export async function createModelState(
  db: Database,
  query: OwnerQuery,
  accountCount: number,
): Promise<ModelState> {
  await insertDeck(query, rates);
  const ids = await insertPlainAccounts(query, accountCount);
  return { db, query, accounts: ids.map(emptyAccount), nowMs: Date.now(), tally: {}, repeats: [] };
}

const emptyAccount = (id: number): ModelAccount => ({
  id,
  creditMicros: 0,
  priceMicros: 0,
  adjustments: new Set(),
  charges: [],
  calls: [],
  abandoned: [],
  ended: [],
  refusals: [],
  ledger: { number: 0, availableMicros: 0, heldMicros: 0, timesLow: 0 },
});
