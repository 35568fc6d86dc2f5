/** Internally, money is an integer of micro-reais (R$ 1 = 1,000,000); in the API, a JSON number of reais. */
const microsPerReal = 1_000_000;

export const reaisFromMicros = (micros: number): number => micros / microsPerReal;

/** Exact for amounts with up to six decimals. */
export const microsFromReais = (reais: number): number => Math.round(reais * microsPerReal);
