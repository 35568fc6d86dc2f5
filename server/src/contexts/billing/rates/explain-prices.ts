import type { Tx } from '../../../platform/db/database.ts';
import { findHolds } from '../holds/hold.store.ts';
import { findTransactionsOf } from '../ledger/ledger.store.ts';
import { findLegsOfCalls } from '../statement/statement-call.store.ts';
import { explainPrice, type LedgerLine, type PricedHold } from './price.rules.ts';

export type PriceExplanation = ReturnType<typeof explainPrice>;

/** Returns price explanations by call; a call without a hold has none. */
export async function explainPrices(
  tx: Tx,
  accountId: number,
  callIds: string[],
): Promise<Map<string, PriceExplanation>> {
  if (callIds.length === 0) return new Map();
  const legsOf = Map.groupBy(await findLegsOfCalls(tx, accountId, callIds), ({ callId }) => callId);
  const legIds = [...legsOf.values()].flat().map(({ legId }) => legId);
  const holds = await findHolds(tx, accountId, [...callIds, ...legIds]);
  const lines = new Map<string, LedgerLine[]>(holds.map(({ callId }) => [callId, []]));
  for (const row of await findTransactionsOf(tx, accountId, [...lines.keys()])) {
    lines.get(row.subject_id)?.push({
      id: row.id,
      type: row.kind,
      at: row.at,
      availableMicros: row.available_micros,
      heldMicros: row.held_micros,
      revenueMicros: row.revenue_micros,
    });
  }
  const priced = new Map(
    holds.map((hold): [string, PricedHold] => {
      const { deckName, prefix } = hold.rate;
      return [hold.callId, { call: { ...hold, deckName, prefix }, lines: lines.get(hold.callId) ?? [] }];
    }),
  );
  return new Map(
    [...priced].flatMap(([id, first]) => {
      if (legIds.includes(id)) return [];
      const legs = (legsOf.get(id) ?? []).flatMap(({ legId }) => priced.get(legId) ?? []);
      return [[id, explainPrice(first, legs)]];
    }),
  );
}
