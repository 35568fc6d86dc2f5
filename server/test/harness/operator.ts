import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import type { KeyRing } from '../../src/platform/keyring.ts';
import type { Clock } from '../../src/platform/time.ts';
import type { Platform } from './platform.ts';

/** Dependencies of the CLI: connects as the owner of the database. */
export interface TestOperator {
  db: Database;
  clock: Clock;
  keyRing: KeyRing;
  close(): Promise<void>;
}

export function openOperator({ database, clock, api }: Platform): TestOperator {
  const options = {
    url: database.ownerUrl,
    poolSize: 2,
    applicationName: 'test',
    statementTimeoutMs: 60_000,
  };
  const db = openDatabase(options, () => undefined);
  return { db, clock, keyRing: api.base.keyRing, close: () => db.close() };
}
