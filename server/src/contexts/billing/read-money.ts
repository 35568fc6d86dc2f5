import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { notFound, Refusal } from '../../platform/errors.ts';
import { isUuid } from '../../platform/ids.ts';
import { reaisFromMicros } from '../../platform/money.ts';
import type { Clock } from '../../platform/time.ts';
import { explainPrices } from './explain-prices.ts';
import { findRate } from './hold.store.ts';
import { findBalance, findBook } from './ledger.store.ts';
import { affordableSeconds, priceMicros, wholeSteps } from './rating.rules.ts';

interface ReadDeps {
  db: Database;
  clock: Clock;
}

export async function getBalance(deps: ReadDeps, caller: Caller) {
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const { availableMicros, heldMicros } = await findBalance(
      tx,
      caller.accountId,
      await findBook(tx, caller.accountId),
    );
    return {
      balance: reaisFromMicros(availableMicros + heldMicros),
      held: reaisFromMicros(heldMicros),
      available: reaisFromMicros(availableMicros),
      currency: 'BRL' as const,
    };
  });
}

export async function getCallPrice(deps: ReadDeps, caller: Caller, callId: string) {
  if (!isUuid(callId)) throw notFound();
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const explanation = (await explainPrices(tx, caller.accountId, [callId])).get(callId.toLowerCase());
    if (!explanation) throw notFound();
    return explanation;
  });
}

/** What a call to this number costs now and, for those who may know the balance, how long it could last. */
export async function quote(deps: ReadDeps, caller: Caller, to: string) {
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const rate = await findRate(tx, to, deps.clock.now());
    if (!rate) throw new Refusal('DESTINATION_NOT_ALLOWED', 'There is no price for calls to this number.');
    const { availableMicros } = await findBalance(tx, caller.accountId, await findBook(tx, caller.accountId));
    const first = wholeSteps(rate, 1);
    const affordsFirst = priceMicros(rate, first) <= availableMicros;
    const seconds = affordsFirst
      ? affordableSeconds(rate, first, availableMicros - priceMicros(rate, first))
      : 0;
    return {
      to,
      prefix: rate.prefix,
      description: rate.description,
      minutePrice: reaisFromMicros(rate.pricePerMinuteMicros),
      minimumSeconds: rate.minimumSeconds,
      stepSeconds: rate.stepSeconds,
      freeSeconds: rate.freeSeconds,
      fundedMinutes: caller.role === 'ADMIN' ? Math.floor(seconds / 60) : null,
    };
  });
}
