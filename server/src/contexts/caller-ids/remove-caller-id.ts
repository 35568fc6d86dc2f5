import type { Caller } from '../../platform/caller.ts';
import { inAccount } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { recordChangeBy } from '../audit/index.ts';
import { deleteCallerId, lockCallerId } from './caller-id.store.ts';
import type { CallerIdDeps } from './caller-id.ts';

export async function removeCallerId(
  deps: Pick<CallerIdDeps, 'db' | 'clock'>,
  caller: Caller,
  id: number,
): Promise<void> {
  const { accountId } = caller;
  await inAccount(deps.db, accountId, async (tx) => {
    const callerId = await lockCallerId(tx, accountId, id);
    if (!callerId) throw notFound();
    await deleteCallerId(tx, accountId, id);
    await recordChangeBy(tx, caller, {
      at: deps.clock.now(),
      action: 'callerId.remove',
      target: { type: 'callerId', id: String(id) },
      before: { number: callerId.number, status: callerId.status },
    });
  });
}
