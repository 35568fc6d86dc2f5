/** What a minute costs and how seconds are counted. Money is whole micro-reais. */
export interface Rate {
  pricePerMinuteMicros: number;
  minimumSeconds: number;
  stepSeconds: number;
  freeSeconds: number;
}

/** R$ 0.0001: a price is rounded to it, once, half to even. */
const priceUnitMicros = 100;

/** The seconds a call of this length is charged for: nothing up to the free seconds, then the minimum, then steps. */
export function billableSeconds(rate: Rate, seconds: number): number {
  if (seconds <= rate.freeSeconds) return 0;
  if (seconds <= rate.minimumSeconds) return rate.minimumSeconds;
  return (
    rate.minimumSeconds + Math.ceil((seconds - rate.minimumSeconds) / rate.stepSeconds) * rate.stepSeconds
  );
}

/** Whole numbers throughout: seconds × price stays far below 2^53, so nothing is ever rounded but here. */
export function priceMicros(rate: Rate, billedSeconds: number): number {
  const perUnit = 60 * priceUnitMicros;
  const product = billedSeconds * rate.pricePerMinuteMicros;
  const units = Math.floor(product / perUnit);
  const twiceRest = (product % perUnit) * 2;
  const up = twiceRest > perUnit || (twiceRest === perUnit && units % 2 === 1);
  return (units + (up ? 1 : 0)) * priceUnitMicros;
}

/** At least so many seconds, in whole billing steps: what is funded is exactly what can be charged. */
export const wholeSteps = (rate: Rate, seconds: number): number =>
  Math.max(billableSeconds(rate, Math.max(seconds, rate.freeSeconds + 1)), rate.minimumSeconds, 1);

/** How far this much more money carries a call that is funded for `fundedSeconds` already, in whole steps. */
export function affordableSeconds(rate: Rate, fundedSeconds: number, availableMicros: number): number {
  const paid = priceMicros(rate, fundedSeconds);
  const affords = (steps: number) =>
    priceMicros(rate, fundedSeconds + steps * rate.stepSeconds) - paid <= availableMicros;
  if (availableMicros < 0 || !affords(1)) return fundedSeconds;
  let low = 1;
  let high = Math.ceil(longestCallSeconds / rate.stepSeconds);
  if (affords(high)) return fundedSeconds + high * rate.stepSeconds;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (affords(middle)) low = middle;
    else high = middle;
  }
  return fundedSeconds + low * rate.stepSeconds;
}

/** No call is funded further than this, whatever it costs. */
const longestCallSeconds = 24 * 3600;

export interface Settlement {
  usedSeconds: number;
  billedSeconds: number;
  priceMicros: number;
}

/** No call is billed for more seconds than were funded, whatever rounding or the engine's own delay would say. */
export function settle(rate: Rate, fundedSeconds: number, usedSeconds: number): Settlement {
  const billedSeconds = Math.min(billableSeconds(rate, usedSeconds), fundedSeconds);
  return { usedSeconds, billedSeconds, priceMicros: priceMicros(rate, billedSeconds) };
}

/** Every prefix of the number, so that the longest that has a rate is found by its index and not by a scan. */
export const prefixesOf = (number: string): string[] =>
  Array.from({ length: Math.min(number.length, 15) }, (_, index) => number.slice(0, index + 1));
