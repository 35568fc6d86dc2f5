import { type EndDeps, endLostCall, endUnclaimedCall } from './end-call.ts';
import { findOpenCalls } from './open-call.store.ts';

const batch = 200;
const mostBatches = 1_000;

/**
 * Ends every call that has not ended, at the moment its node was last seen. For a database that was restored: the engine
 * has torn down the calls since, for want of funded time, and told it to a database that is gone.
 */
export async function closeOpenCalls(deps: EndDeps): Promise<number> {
  let closed = 0;
  for (let round = 0; round < mostBatches; round += 1) {
    const open = await findOpenCalls(deps.db, batch);
    for (const call of open) {
      if (call.node === null) await endUnclaimedCall(deps, call);
      else await endLostCall(deps, call, call.lastSeenAt ?? deps.clock.now());
      closed += 1;
    }
    if (open.length < batch) break;
  }
  return closed;
}
