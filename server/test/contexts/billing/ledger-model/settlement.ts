import {
  billableSeconds,
  priceMicros,
  type Rate,
  type Settlement,
} from '../../../../src/contexts/billing/rates/rating.rules.ts';

/** Computes the charge of a call, which `settle_hold` computes in the database. */
export function settle(rate: Rate, fundedSeconds: number, usedSeconds: number): Settlement {
  const billedSeconds = Math.min(billableSeconds(rate, usedSeconds), fundedSeconds);
  return { usedSeconds, billedSeconds, priceMicros: priceMicros(rate, billedSeconds) };
}
