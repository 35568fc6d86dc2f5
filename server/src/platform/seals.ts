import type { Database } from './db/database.ts';
import type { KeyRing } from './keyring.ts';

/** A kind of secret that is stored sealed with the key ring, of which each context has its own. */
export interface Seals {
  /** Plural noun, shown to the operator. */
  name: string;
  /** Seals with the current key what is sealed with others, and returns how many rows were changed. Can be repeated. */
  reseal(deps: ResealDeps, signal: AbortSignal): Promise<number>;
  /** Counts the secrets by id of their key. `db` must have the rights of operators. */
  count(db: Database): Promise<KeyCount[]>;
}

export interface ResealDeps {
  db: Database;
  keyRing: KeyRing;
}

export interface KeyCount {
  key: string;
  count: number;
}

/** Rows that one query of a reseal returns. */
export const resealBatch = 200;
