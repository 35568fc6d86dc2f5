import { eachBatch } from '../../../platform/batch.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import type { Clock } from '../../../platform/time.ts';
import { type Difference, findDifferences, listAccountIds, saveAudit } from './audit.store.ts';

export type { Difference };

const pageSize = 1_000;
/** The audit stops after this many differences. */
const maxDifferences = 1_000;

/** Recomputes all balances from the entries and returns every difference; empty if the ledger is consistent. */
export async function auditLedger(deps: { db: Database }, signal?: AbortSignal): Promise<Difference[]> {
  const differences: Difference[] = [];
  let lastId = 0;
  await eachBatch(pageSize, async () => {
    const ids = await listAccountIds(deps.db, lastId, pageSize);
    for (lastId of ids) {
      signal?.throwIfAborted();
      differences.push(...(await findDifferences(deps.db, lastId)));
      if (differences.length >= maxDifferences) return 0;
    }
    return ids.length;
  });
  return differences.slice(0, maxDifferences);
}

/** Saves the result for monitoring and logs it. */
export async function reportAudit(
  deps: { db: Database; log: Logger; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const differences = await auditLedger(deps, signal);
  if (differences.length === 0) deps.log.info('ledger audit clean');
  for (const difference of differences) deps.log.error({ difference }, 'ledger audit found a difference');
  // Saved last, so that differences are logged even if saving fails.
  await saveAudit(deps.db, deps.clock.now(), differences.length);
}
