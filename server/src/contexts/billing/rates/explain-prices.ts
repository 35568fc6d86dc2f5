import type { Tx } from '../../../platform/db/database.ts';
import { findHolds } from '../holds/hold.store.ts';
import { findTransactionsOf } from '../ledger/ledger.store.ts';
import { explainPrice, type LedgerLine } from './price.rules.ts';

export type PriceExplanation = ReturnType<typeof explainPrice>;

/** Returns price explanations by call; a call without a hold has none. */
export async function explainPrices(
  tx: Tx,
  accountId: number,
  callIds: string[],
): Promise<Map<string, PriceExplanation>> {
  if (callIds.length === 0) return new Map();
  const holds = await findHolds(tx, accountId, callIds);
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
  return new Map(
    holds.map((hold) => {
      const { deckName, prefix } = hold.rate;
      return [hold.callId, explainPrice({ ...hold, deckName, prefix }, lines.get(hold.callId) ?? [])];
    }),
  );
}
