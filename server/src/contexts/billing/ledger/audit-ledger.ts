import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import type { Clock } from '../../../platform/time.ts';
import { type Difference, findDifferences, listAccountIds, saveAudit } from './audit.store.ts';

export type { Difference };

const pageSize = 1_000;
/** Whoever has so many has seen enough. */
const mostDifferences = 1_000;

/** Recomputes everything from the entries and names every difference; an empty answer is a clean ledger. */
export async function auditLedger(deps: { db: Database }, signal?: AbortSignal): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (let ids = await listAccountIds(deps.db, 0, pageSize); ids.length > 0; ) {
    for (const id of ids) {
      signal?.throwIfAborted();
      differences.push(...(await findDifferences(deps.db, id)));
      if (differences.length >= mostDifferences) return differences.slice(0, mostDifferences);
    }
    ids = await listAccountIds(deps.db, ids.at(-1) ?? 0, pageSize);
  }
  return differences;
}

/** What it found is kept for whoever watches the service, and told for whoever reads its log. */
export async function reportAudit(
  deps: { db: Database; log: Logger; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const differences = await auditLedger(deps, signal);
  if (differences.length === 0) deps.log.info('the ledger is clean');
  for (const difference of differences) deps.log.error({ difference }, 'the ledger differs');
  // Last: what was found is told even if it cannot be kept.
  await saveAudit(deps.db, deps.clock.now(), differences.length);
}
