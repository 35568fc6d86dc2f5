import { timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../platform/caller.ts';
import { enterAccount, inAccount, type Tx } from '../../platform/db/database.ts';
import { notFound, Refusal } from '../../platform/errors.ts';
import { recordChange, recordChangeBy } from '../audit/index.ts';
import {
  type LockedCallerId,
  lockCallerId,
  releaseFromOthers,
  saveOwned,
  saveTriesLeft,
} from './caller-id.store.ts';
import type { CallerId, CallerIdDeps } from './caller-id.ts';
import { codePurpose } from './request-caller-id.ts';

type Outcome = { callerId: CallerId } | { refusal: Refusal };

/**
 * Verifies the spoken code and marks the number as owned. Idempotent. Refuses with WRONG_CODE, and with CODE_EXPIRED
 * after five wrong codes or ten minutes. A wrong attempt must be counted, so the refusal is thrown after commit.
 */
export async function verifyCallerId(
  deps: CallerIdDeps,
  caller: Caller,
  id: number,
  code: string,
): Promise<CallerId> {
  const outcome = await inAccount(deps.db, caller.accountId, async (tx): Promise<Outcome> => {
    const callerId = await lockCallerId(tx, caller.accountId, id);
    if (!callerId) throw notFound();
    if (callerId.status === 'owned') return { callerId };
    const at = deps.clock.now();
    if (
      !callerId.codeSealed ||
      !callerId.codeExpiresAt ||
      callerId.codeExpiresAt <= at ||
      callerId.triesLeft === 0
    ) {
      return { refusal: new Refusal('CODE_EXPIRED', 'The code is no longer valid. Request a new call.') };
    }
    if (!isSame(code, deps.keyRing.open(codePurpose, callerId.codeSealed))) {
      const triesLeft = callerId.triesLeft - 1;
      await saveTriesLeft(tx, caller.accountId, id, triesLeft);
      return { refusal: new Refusal('WRONG_CODE', `Wrong code. Attempts left: ${triesLeft}.`) };
    }
    return { callerId: await makeOwned(tx, caller, callerId, at) };
  });
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome.callerId;
}

const isSame = (given: string, spoken: string): boolean =>
  given.length === spoken.length && timingSafeEqual(Buffer.from(given), Buffer.from(spoken));

/** Removes the number from its previous owner: numbers move between companies. */
async function makeOwned(tx: Tx, caller: Caller, { mode, number }: LockedCallerId, at: Date) {
  const owner = { accountId: caller.accountId, mode, number, at };
  for (const lost of await releaseFromOthers(tx, owner)) {
    await enterAccount(tx, lost.accountId);
    await recordChange(tx, {
      accountId: lost.accountId,
      at,
      actor: null,
      origin: { address: 'system', requestId: '' },
      action: 'callerId.lose',
      target: { type: 'callerId', id: String(lost.id) },
      before: { number },
    });
  }
  await enterAccount(tx, caller.accountId);
  const callerId = await saveOwned(tx, owner, 'verified');
  await recordChangeBy(tx, caller, {
    at,
    action: 'callerId.verify',
    target: { type: 'callerId', id: String(callerId.id) },
    after: { number },
  });
  return callerId;
}
