import { randomUUID } from 'node:crypto';
import {
  adjustCredit,
  creditCharge,
  holdForCall,
  renewHold,
  settleCall,
  takeBackCharge,
} from '../../src/contexts/billing/index.ts';
import { inAccount, type Tx } from '../../src/platform/db/database.ts';
import { microsFromReais } from '../../src/platform/money.ts';
import type { TestAccount } from '../harness/people.ts';
import type { Platform } from '../harness/platform.ts';
import { insertDeck, noteCharge, noteTakenBack, type RateRow } from './fixtures.ts';

export const addDeck = (platform: Platform, rates: RateRow[], effectiveFrom?: Date): Promise<void> =>
  insertDeck(platform.database.query, rates, effectiveFrom);

/** Credit by the operator; a negative amount takes it. */
export async function giveCredit(
  platform: Platform,
  accountId: number,
  reais: number,
  key: string = randomUUID(),
): Promise<void> {
  await within(platform, accountId, (tx) =>
    adjustCredit(tx, platform.api.app, {
      accountId,
      micros: microsFromReais(reais),
      reason: 'A gift for the test',
      key,
      at: platform.clock.now(),
    }),
  );
}

export const within = <T>(platform: Platform, accountId: number, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inAccount(platform.api.base.db, accountId, work);

export const destination = '5511987654321';

/** The money side of one call. */
export function callOf(platform: Platform, { id: accountId }: { id: number }, callId: string = randomUUID()) {
  const call = { accountId, callId };
  const now = () => platform.clock.now();
  return {
    callId,
    hold: (to = destination) =>
      within(platform, accountId, (tx) =>
        holdForCall(tx, platform.api.app, { ...call, destination: to, at: now() }),
      ),
    renew: (usedSeconds: number) =>
      within(platform, accountId, (tx) =>
        renewHold(tx, platform.api.app, { ...call, usedSeconds, at: now() }),
      ),
    settle: (usedSeconds: number) =>
      within(platform, accountId, (tx) => settleCall(tx, { ...call, usedSeconds, at: now() })),
  };
}

/** The money side of one charge. */
export function chargeOf(
  platform: Platform,
  { id: accountId }: { id: number },
  chargeId: number,
  reais: number,
) {
  const charge = {
    accountId,
    book: 'test' as const,
    chargeId,
    amountMicros: microsFromReais(reais),
    feeMicros: 0,
    time: 0,
  };
  const now = () => platform.clock.now();
  return {
    credit: (changes: { feeMicros?: number } = {}) =>
      within(platform, accountId, async (tx) => {
        const paid = { ...charge, ...changes, at: now() };
        await noteCharge(tx, paid);
        await creditCharge(tx, paid);
      }),
    takeBack: (kind: 'refund' | 'chargeback') =>
      within(platform, accountId, async (tx) => {
        await noteTakenBack(tx, charge);
        await takeBackCharge(tx, platform.api.app, { ...charge, at: now() }, kind);
      }),
  };
}

export const balanceOf = async (account: TestAccount) =>
  (await account.admin.client.get('/accounts/balance')).body;
