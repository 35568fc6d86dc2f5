import type { Database } from './database.ts';

/** Returns a function that creates one value per database, at its first use. */
export function perDatabase<Value>(create: (db: Database) => Value): (db: Database) => Value {
  const values = new WeakMap<Database, Value>();
  return (db) => {
    const before = values.get(db);
    if (before !== undefined) return before;
    const value = create(db);
    values.set(db, value);
    return value;
  };
}
