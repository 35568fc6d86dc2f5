import { randomInt } from 'node:crypto';
import type { Caller } from '../../platform/caller.ts';
import { inAccount, type Tx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import { dayInSaoPaulo } from '../../platform/time.ts';
import { recordChangeBy } from '../audit/index.ts';
import { spendBudget } from '../limits/index.ts';
import { requireProvedAddress } from '../users/index.ts';
import {
  countCodeCall,
  findCallerIdByNumber,
  findMode,
  forgetCodeCalls,
  savePending,
} from './caller-id.store.ts';
import type { CallerId, CallerIdDeps } from './caller-id.ts';
import {
  codeDigits,
  codeExpiry,
  maxAttempts,
  maxCallsPerDay,
  maxTotalCallsPerDay,
  secondsToTomorrow,
} from './code.rules.ts';

export const codePurpose = 'caller-id-code';

/**
 * Calls the number and speaks a code, which the user enters to prove ownership. A number already owned is returned
 * without a call; a pending one is called with a new code. Refuses with CALLER_ID_CALL_LIMIT, and whenever the call
 * itself is refused.
 */
export async function requestCallerId(deps: CallerIdDeps, caller: Caller, number: string): Promise<CallerId> {
  const { accountId } = caller;
  return await inAccount(deps.db, accountId, async (tx) => {
    const existing = await findCallerIdByNumber(tx, accountId, number);
    if (existing?.status === 'owned') return existing;
    await requireProvedAddress(tx, accountId);
    const at = deps.clock.now();
    await takeCodeCall(tx, accountId, number, at);
    await spendBudget(tx, accountId, 'code_calls', 1, at);
    const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');
    const pending = await savePending(
      tx,
      { accountId, mode: await findMode(tx, accountId), number, at },
      { codeSealed: deps.keyRing.seal(codePurpose, code), expiresAt: codeExpiry(at), tries: maxAttempts },
    );
    await recordChangeBy(tx, caller, {
      at,
      action: 'callerId.request',
      target: { type: 'callerId', id: String(pending.id) },
      after: { number },
    });
    await deps.placeCodeCall(tx, { number, code, caller, at });
    return pending;
  });
}

async function takeCodeCall(tx: Tx, accountId: number, number: string, at: Date): Promise<void> {
  const today = dayInSaoPaulo(at);
  await forgetCodeCalls(tx, accountId, today);
  const { own, total } = await countCodeCall(tx, number, today);
  if (own > maxCallsPerDay || total > maxTotalCallsPerDay) {
    // The same for both limits, so that it does not show whether other accounts called the number.
    throw new Refusal(
      'CALLER_ID_CALL_LIMIT',
      'The number cannot be called with a code again today. Try again tomorrow.',
      { retryAfterSeconds: secondsToTomorrow(at) },
    );
  }
}
