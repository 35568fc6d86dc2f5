import { endLostCall, endUnclaimedCall } from './end-call.ts';
import type { EndDeps } from './end-deps.ts';
import { findOpenCalls } from './open-call.store.ts';

const batch = 200;
const maxBatches = 1_000;

/**
 * Ends every open call at the time its node was last seen. For restored databases: the engines ended these calls when
 * their funded time ran out, and reported the end to the old database.
 */
export async function closeOpenCalls(deps: EndDeps): Promise<number> {
  let closed = 0;
  for (let round = 0; round < maxBatches; round += 1) {
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
