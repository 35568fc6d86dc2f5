/** Price per minute and billing increments. Amounts are integer micro-reais. */
export interface Rate {
  pricePerMinuteMicros: number;
  minimumSeconds: number;
  stepSeconds: number;
  freeSeconds: number;
}

/** R$ 0.0001. Prices are rounded once, half to even, to a multiple of this unit. */
const priceUnitMicros = 100;

/**
 * Returns the billed seconds of a call of this length: none up to the free seconds, then at least the minimum, in whole
 * steps.
 */
export function billableSeconds(rate: Rate, seconds: number): number {
  if (seconds <= rate.freeSeconds) return 0;
  if (seconds <= rate.minimumSeconds) return rate.minimumSeconds;
  return (
    rate.minimumSeconds + Math.ceil((seconds - rate.minimumSeconds) / rate.stepSeconds) * rate.stepSeconds
  );
}

/** Returns the price. Uses integer arithmetic: seconds × price stays far below 2^53, so this is the only rounding. */
export function priceMicros(rate: Rate, billedSeconds: number): number {
  const perUnit = 60 * priceUnitMicros;
  const product = billedSeconds * rate.pricePerMinuteMicros;
  const units = Math.floor(product / perUnit);
  const twiceRest = (product % perUnit) * 2;
  const up = twiceRest > perUnit || (twiceRest === perUnit && units % 2 === 1);
  return (units + (up ? 1 : 0)) * priceUnitMicros;
}

/** Rounds up to whole billing steps, so that funded time can be charged exactly. */
export const wholeSteps = (rate: Rate, seconds: number): number =>
  Math.max(billableSeconds(rate, Math.max(seconds, rate.freeSeconds + 1)), rate.minimumSeconds, 1);

/**
 * Returns the seconds that a call already funded for `fundedSeconds` can last with this much more money, in whole
 * steps. At most `limitSeconds` are added.
 */
export function affordableSeconds(
  rate: Rate,
  fundedSeconds: number,
  availableMicros: number,
  limitSeconds = longestCallSeconds,
): number {
  const paid = priceMicros(rate, fundedSeconds);
  const affords = (steps: number) =>
    priceMicros(rate, fundedSeconds + steps * rate.stepSeconds) - paid <= availableMicros;
  if (availableMicros < 0 || !affords(1)) return fundedSeconds;
  let low = 1;
  let high = Math.ceil(limitSeconds / rate.stepSeconds);
  if (affords(high)) return fundedSeconds + high * rate.stepSeconds;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (affords(middle)) low = middle;
    else high = middle;
  }
  return fundedSeconds + low * rate.stepSeconds;
}

/** Maximum time funded in advance. */
const longestCallSeconds = 24 * 3600;

/** Returns the seconds that a new call can last with this much money, without an upper limit. */
export function coveredSeconds(rate: Rate, availableMicros: number): number {
  const first = wholeSteps(rate, 1);
  const restMicros = availableMicros - priceMicros(rate, first);
  if (restMicros < 0) return 0;
  if (rate.pricePerMinuteMicros === 0) return affordableSeconds(rate, first, restMicros);
  // Rounding adds less than one unit to what the money pays for.
  const limitSeconds = Math.ceil(((restMicros + priceUnitMicros) * 60) / rate.pricePerMinuteMicros);
  return affordableSeconds(rate, first, restMicros, limitSeconds + rate.stepSeconds);
}

export interface Settlement {
  usedSeconds: number;
  billedSeconds: number;
  priceMicros: number;
}

/** Returns all prefixes of the number, so that an index lookup finds the longest one with a rate. */
export const prefixesOf = (number: string): string[] =>
  Array.from({ length: Math.min(number.length, 15) }, (_, index) => number.slice(0, index + 1));
