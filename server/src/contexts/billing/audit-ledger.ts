import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/log.ts';
import { type Difference, findDifferences } from './audit.store.ts';

export type { Difference };

/** Recomputes everything from the entries and names every difference; an empty answer is a clean ledger. */
export async function auditLedger(deps: { db: Database }): Promise<Difference[]> {
  return await findDifferences(deps.db);
}

export async function reportAudit(deps: { db: Database; log: Logger }): Promise<void> {
  const differences = await auditLedger(deps);
  if (differences.length === 0) deps.log.info('the ledger is clean');
  for (const difference of differences) deps.log.error({ difference }, 'the ledger differs');
}
