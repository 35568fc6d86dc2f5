import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import { correctRunningCalls } from './live-call.store.ts';

/**
 * Corrects counters of running calls. They change with the calls in one transaction, so they can differ only after an
 * upgrade, during which calls were placed before the new functions were installed, or after a change by hand.
 */
export async function correctCounters({ db, log }: { db: Database; log: Logger }): Promise<void> {
  const corrected = await correctRunningCalls(db);
  if (corrected > 0) log.warn({ accounts: corrected }, 'running call counters corrected');
}
