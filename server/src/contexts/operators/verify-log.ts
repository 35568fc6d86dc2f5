import type { Database } from '../../platform/db/database.ts';
import { findBrokenEntries, findEntryHash, findHeads, type Head } from './log.store.ts';

export interface LogCheck {
  head: Head;
  faults: string[];
}

/**
 * Recomputes the chain of the operator log. Who can write to the tables as their owner can also compute a new chain, so a
 * head noted elsewhere is compared as well.
 */
export async function verifyLog(db: Database, known?: Head): Promise<LogCheck> {
  const broken = await findBrokenEntries(db);
  const faults = broken.map(({ seq, problem }) => `Entry ${seq}: ${problem}.`);
  const { noted, last } = await findHeads(db);
  if (noted.seq !== last.seq || noted.hash !== last.hash)
    faults.push(
      `The last entry is ${last.seq}, but ${noted.seq} were written: the newest were changed or removed.`,
    );
  if (known && known.seq > 0 && (await findEntryHash(db, known.seq)) !== known.hash)
    faults.push(`Entry ${known.seq} is not the one that was noted: the log was replaced or shortened.`);
  return { head: last, faults };
}
