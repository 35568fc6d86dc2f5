import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { invalid, notFound, Refusal } from '../../../platform/errors.ts';
import { isUuid } from '../../../platform/ids.ts';
import { reaisFromMicros } from '../../../platform/money.ts';
import { phoneFault, readPhone } from '../../../platform/phone.ts';
import type { Clock } from '../../../platform/time.ts';
import { callsSeenBy } from '../../../platform/visibility.ts';
import { findRate } from '../holds/hold.store.ts';
import { priceRefusal } from '../holds/spend.rules.ts';
import { findBalance, findBook } from '../ledger/ledger.store.ts';
import type { Balance } from '../ledger/ledger.ts';
import { explainPrices } from '../rates/explain-prices.ts';
import { coveredSeconds } from '../rates/rating.rules.ts';
import { isCallOf } from './statement-call.store.ts';

interface ReadDeps {
  db: Database;
  clock: Clock;
}

export const getBalance = async (deps: ReadDeps, { accountId }: Caller) =>
  await inAccount(deps.db, accountId, async (tx) => presentBalance(await findOwnBalance(tx, accountId)));

const findOwnBalance = async (tx: Tx, accountId: number): Promise<Balance> =>
  await findBalance(tx, accountId, await findBook(tx, accountId));

export const presentBalance = ({ availableMicros, heldMicros }: Balance) => ({
  balance: reaisFromMicros(availableMicros + heldMicros),
  held: reaisFromMicros(heldMicros),
  available: reaisFromMicros(availableMicros),
  currency: 'BRL' as const,
});

/** Reference for credit in minutes: a mobile number in Sao Paulo, which every Brazilian deck includes. */
const ordinaryDestination = '5511900000000';

/** Returns the balance, and how many whole minutes of a reference call it buys. */
export async function readCredit(tx: Tx, accountId: number, at: Date) {
  const balance = await findOwnBalance(tx, accountId);
  const rate = await findRate(tx, ordinaryDestination, at);
  return {
    ...presentBalance(balance),
    minutes:
      rate && rate.pricePerMinuteMicros > 0
        ? {
            count: Math.max(0, Math.floor(balance.availableMicros / rate.pricePerMinuteMicros)),
            prefix: rate.prefix,
            description: rate.description,
            minutePrice: reaisFromMicros(rate.pricePerMinuteMicros),
          }
        : null,
  };
}

/** Explains the price of a call that the caller sees. */
export async function getCallPrice(deps: ReadDeps, caller: Caller, callId: string) {
  if (!isUuid(callId)) throw notFound();
  const userId = callsSeenBy(caller);
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const isSeen = userId === undefined || (await isCallOf(tx, caller.accountId, callId, userId));
    if (!isSeen) throw notFound();
    const explanation = (await explainPrices(tx, caller.accountId, [callId])).get(callId.toLowerCase());
    if (!explanation) throw notFound();
    return explanation;
  });
}

/** Returns what a call to this number costs now and, for callers who see the balance, how many minutes it covers. */
export async function quote(deps: ReadDeps, caller: Caller, number: string) {
  const to = quotedDigits(number);
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const rate = await findRate(tx, to, deps.clock.now());
    if (!rate) throw priceRefusal();
    const { availableMicros } = await findBalance(tx, caller.accountId, await findBook(tx, caller.accountId));
    return {
      to,
      prefix: rate.prefix,
      description: rate.description,
      minutePrice: reaisFromMicros(rate.pricePerMinuteMicros),
      minimumSeconds: rate.minimumSeconds,
      stepSeconds: rate.stepSeconds,
      freeSeconds: rate.freeSeconds,
      fundedMinutes: caller.permissions.money ? Math.floor(coveredSeconds(rate, availableMicros) / 60) : null,
    };
  });
}

function quotedDigits(number: string): string {
  const reading = readPhone(number);
  if (reading.kind === 'number') return reading.digits;
  if (reading.kind === 'special') {
    const message = 'Emergency, short and service numbers cannot be called.';
    throw new Refusal('DESTINATION_NOT_ALLOWED', message, {
      details: [{ path: 'to', code: 'special_number', message }],
    });
  }
  const { code, message } = phoneFault(reading);
  throw invalid({ path: 'to', code, message: `\`to\` ${message}.` });
}
