import { eachBatch } from '../../platform/batch.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time.ts';
import { sweepFormerEmails } from './former-email.store.ts';
import { sweepExpiredTokens } from './token.store.ts';

const batch = 1_000;

/** Deletes expired tokens and former addresses that no longer log in. */
export async function sweepTokens(deps: { db: Database; clock: Clock }, signal: AbortSignal): Promise<void> {
  await eachBatch(batch, () => sweepExpiredTokens(deps.db, deps.clock.now(), batch), signal);
  await eachBatch(batch, () => sweepFormerEmails(deps.db, deps.clock.now(), batch), signal);
}
