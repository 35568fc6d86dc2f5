import { reaisFromMicros } from '../../../platform/money.ts';
import type { Rate, Settlement } from './rating.rules.ts';

export interface PricedCall {
  callId: string;
  destination: string;
  deckName: string;
  prefix: string;
  rate: Rate;
  fundedSeconds: number;
  settlement: Settlement | undefined;
}

export interface LedgerLine {
  id: string;
  type: string;
  at: Date;
  availableMicros: number;
  heldMicros: number;
  revenueMicros: number;
}

/** The hold of a call or of a further leg, with its entries in the ledger. */
export interface PricedHold {
  call: PricedCall;
  lines: LedgerLine[];
}

/** Explains a price from stored facts only, so that it can be recomputed exactly. */
export function explainPrice(first: PricedHold, legs: PricedHold[]) {
  const settlements = [first, ...legs].map(({ call }) => call.settlement);
  const isPriced = settlements.every((settlement) => settlement !== undefined);
  const sumMicros = settlements.reduce((sum, settlement) => sum + (settlement?.priceMicros ?? 0), 0);
  return {
    callId: first.call.callId,
    ...explainHold(first),
    callPrice: isPriced ? reaisFromMicros(sumMicros) : null,
    legs: legs.map(explainHold),
  };
}

function explainHold({ call, lines }: PricedHold) {
  const { rate, settlement } = call;
  return {
    to: call.destination,
    rateDeck: call.deckName,
    prefix: call.prefix,
    minutePrice: reaisFromMicros(rate.pricePerMinuteMicros),
    increments: {
      minimumSeconds: rate.minimumSeconds,
      stepSeconds: rate.stepSeconds,
      freeSeconds: rate.freeSeconds,
    },
    rounding: 'half-even to R$ 0.0001, once' as const,
    duration: settlement?.usedSeconds ?? null,
    billedDuration: settlement?.billedSeconds ?? null,
    fundedSeconds: call.fundedSeconds,
    callPrice: settlement ? reaisFromMicros(settlement.priceMicros) : null,
    explanation: settlement ? sentence(call, settlement) : 'The call has not been priced yet.',
    entries: lines.map((line) => ({
      id: line.id,
      type: line.type,
      at: line.at.toISOString(),
      available: reaisFromMicros(line.availableMicros),
      held: reaisFromMicros(line.heldMicros),
      revenue: reaisFromMicros(line.revenueMicros),
    })),
  };
}

function sentence(call: PricedCall, { usedSeconds, billedSeconds, priceMicros }: Settlement): string {
  if (call.rate.pricePerMinuteMicros === 0) return `${usedSeconds} s, free of charge.`;
  const minute = `R$ ${reaisFromMicros(call.rate.pricePerMinuteMicros)} per minute on prefix ${call.prefix}`;
  if (billedSeconds === 0)
    return `${usedSeconds} s, free: up to ${call.rate.freeSeconds} s cost nothing (${minute}).`;
  return `${usedSeconds} s, charged as ${billedSeconds} s at ${minute}: R$ ${reaisFromMicros(priceMicros)}.`;
}
